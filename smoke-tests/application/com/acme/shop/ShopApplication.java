package com.acme.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A web shop that knows nothing of Holdfast but a dependency on its starter. */
@SpringBootApplication
public class ShopApplication {
    /** Starts the shop. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
