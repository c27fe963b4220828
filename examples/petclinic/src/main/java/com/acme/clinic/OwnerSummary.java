package com.acme.clinic;

import java.util.List;

/**
 * A line of the list of owners.
 *
 * @param id   number of the owner
 * @param name first and last name
 * @param pets what he or she brings
 */
public record OwnerSummary(Long id, String name, List<String> pets) {
    static OwnerSummary of(Owner owner) {
        return new OwnerSummary(owner.id(), owner.name(), owner.pets().stream().map(Pet::describe).toList());
    }
}
