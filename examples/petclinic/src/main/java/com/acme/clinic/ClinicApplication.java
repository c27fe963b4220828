package com.acme.clinic;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A pet clinic. The only line about Holdfast is the dependency on its starter. */
@SpringBootApplication
public class ClinicApplication {
    /** Opens the clinic. */
    public static void main(String[] args) {
        SpringApplication.run(ClinicApplication.class, args);
    }
}
