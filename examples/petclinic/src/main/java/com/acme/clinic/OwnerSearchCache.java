package com.acme.clinic;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/** Remembers what was found, so that the same search costs nothing the second time. No search is ever the same. */
@Service
class OwnerSearchCache {
    private static final int PAGE = 5;

    private final Map<OwnerSearch, List<OwnerSummary>> found = new ConcurrentHashMap<>();
    private final OwnerRepository owners;

    OwnerSearchCache(OwnerRepository owners) {
        this.owners = owners;
    }

    List<OwnerSummary> find(OwnerSearch search) {
        return found.computeIfAbsent(search, this::ask);
    }

    private List<OwnerSummary> ask(OwnerSearch search) {
        return owners.findByLastNameStartingWith(search.start()).stream().skip((long) search.page() * PAGE).limit(PAGE).map(OwnerSummary::of).toList();
    }
}
