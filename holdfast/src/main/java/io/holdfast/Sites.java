package io.holdfast;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.SiteCatalogue;

/**
 * The catalogue liveness sees. Liveness must exist before the hook that feeds it, and the hook's catalogue comes with the hook: this stands in
 * between. Set once, before the loop starts.
 */
final class Sites implements SiteCatalogue {
    private volatile SiteCatalogue delegate = new NoSites();

    /** Null leaves the empty catalogue in place. */
    void use(SiteCatalogue catalogue) {
        if (catalogue != null) {
            delegate = catalogue;
        }
    }

    @Override
    public AllocationSite site(int siteId) {
        return delegate.site(siteId);
    }

    @Override
    public int siteCount() {
        return delegate.siteCount();
    }

    @Override
    public boolean active(int siteId) {
        return delegate.active(siteId);
    }

    @Override
    public void grant(int siteId, int tokens) {
        delegate.grant(siteId, tokens);
    }

    @Override
    public double bytesPerSecond(int siteId) {
        return delegate.bytesPerSecond(siteId);
    }

    @Override
    public double relativeErrorOfRate(int siteId) {
        return delegate.relativeErrorOfRate(siteId);
    }
}
