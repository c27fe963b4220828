package com.acme.clinic;

/** What a visitor has asked for. The bug: it is the key of a map, and has neither {@code equals} nor {@code hashCode}. */
final class OwnerSearch {
    private final String start;
    private final int page;

    OwnerSearch(String start, int page) {
        this.start = start;
        this.page = page;
    }

    String start() {
        return start;
    }

    int page() {
        return page;
    }
}
