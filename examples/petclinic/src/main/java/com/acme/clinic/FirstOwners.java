package com.acme.clinic;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Some owners to begin with. */
@Component
class FirstOwners implements ApplicationRunner {
    private static final String[] NAMES = {"Franklin", "Davis", "Rodriquez", "McTavish", "Coleman", "Black", "Escobito", "Schroeder", "Stansfield", "Estaban"};
    private static final String[] KINDS = {"cat", "dog", "hamster", "snake", "bird"};
    private static final int OWNERS = 100;

    private final OwnerRepository owners;

    FirstOwners(OwnerRepository owners) {
        this.owners = owners;
    }

    @Override
    public void run(ApplicationArguments args) {
        for (int i = 0; i < OWNERS; i++) {
            owners.save(new Owner("Number " + i, NAMES[i % NAMES.length]).with(new Pet("Pet " + i, KINDS[i % KINDS.length])));
        }
    }
}
