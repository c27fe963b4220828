package com.acme.clinic;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

/** A patient. */
@Entity(name = "Pet")
class Pet {
    @Id
    @GeneratedValue
    private Long id;
    private String name;
    private String kind;

    protected Pet() { }

    Pet(String name, String kind) {
        this.name = name;
        this.kind = kind;
    }

    String describe() {
        return name + " the " + kind;
    }
}
