package com.acme.clinic;

import java.util.Arrays;
import java.util.List;

/**
 * A line of the list of owners.
 *
 * @param id    number of the owner
 * @param name  first and last name
 * @param pets  what he or she brings
 * @param photo a small picture
 */
public record OwnerSummary(Long id, String name, List<String> pets, byte[] photo) {
    private static final int PHOTO_BYTES = 2_000;

    static OwnerSummary of(Owner owner) {
        byte[] photo = new byte[PHOTO_BYTES];
        Arrays.fill(photo, owner.id().byteValue());
        return new OwnerSummary(owner.id(), owner.name(), owner.pets().stream().map(Pet::describe).toList(), photo);
    }
}
