package io.holdfast.liveness;

import java.util.HashMap;
import java.util.Map;

/** Rows of one origin that speak for a candidate. */
final class OriginTally {
    final SiteClass origin;
    /** Rows by thread, counted for a part of the rows. */
    final Map<Long, int[]> threads = new HashMap<>();
    int tracked;
    long weight;

    OriginTally(SiteClass origin) {
        this.origin = origin;
    }
}
