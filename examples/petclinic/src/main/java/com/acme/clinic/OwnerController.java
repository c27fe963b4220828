package com.acme.clinic;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The list of owners. */
@RestController
class OwnerController {
    private final OwnerSearchCache cache;

    OwnerController(OwnerSearchCache cache) {
        this.cache = cache;
    }

    /** Owners whose last name starts so. */
    @GetMapping("/owners")
    List<OwnerSummary> owners(@RequestParam(name = "start", defaultValue = "") String start, @RequestParam(name = "page", defaultValue = "0") int page) {
        return cache.find(new OwnerSearch(start, page));
    }
}
