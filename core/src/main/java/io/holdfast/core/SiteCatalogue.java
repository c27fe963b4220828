package io.holdfast.core;

/**
 * The instrumented sites, and the tokens by which each yields samples. Ids are dense from 0 and never reused within one run of Holdfast.
 * All methods are called on the Holdfast thread only; {@link #site} may be called from anywhere.
 */
public interface SiteCatalogue {
    /** The site with that id. */
    AllocationSite site(int siteId);

    /** Ids in use are {@code 0 … siteCount()-1}; some may be retired. */
    int siteCount();

    /** Whether the site's instruction carries a hook now. */
    boolean active(int siteId);

    /** The next {@code tokens} allocations at the site become samples. Replaces what was left of an earlier grant. */
    void grant(int siteId, int tokens);

    /** Bytes allocated at the site per second, from the scout's weights; an estimate, 0 when unknown. */
    double bytesPerSecond(int siteId);

    /** One standard error of {@link #bytesPerSecond}, as a share of it; NaN when unknown. */
    default double relativeErrorOfRate(int siteId) {
        return Double.NaN;
    }
}
