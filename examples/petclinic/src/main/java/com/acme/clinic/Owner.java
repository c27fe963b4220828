package com.acme.clinic;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** Somebody who brings pets. */
@Entity(name = "Owner")
class Owner {
    @Id
    @GeneratedValue
    private Long id;
    private String firstName;
    private String lastName;
    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.EAGER)
    private List<Pet> pets = new ArrayList<>();

    protected Owner() { }

    Owner(String firstName, String lastName) {
        this.firstName = firstName;
        this.lastName = lastName;
    }

    Owner with(Pet pet) {
        pets.add(pet);
        return this;
    }

    Long id() {
        return id;
    }

    String name() {
        return firstName + " " + lastName;
    }

    List<Pet> pets() {
        return pets;
    }
}
