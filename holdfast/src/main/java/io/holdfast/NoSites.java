package io.holdfast;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.SiteCatalogue;

/** The catalogue where nothing can be instrumented: no agent, or no token lane. */
final class NoSites implements SiteCatalogue {
    @Override
    public AllocationSite site(int siteId) {
        throw new IndexOutOfBoundsException(siteId);
    }

    @Override
    public int siteCount() {
        return 0;
    }

    @Override
    public boolean active(int siteId) {
        return false;
    }

    @Override
    public void grant(int siteId, int tokens) {
        // no site, no token
    }

    @Override
    public double bytesPerSecond(int siteId) {
        return 0;
    }
}
