package io.holdfast;

import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import java.util.List;
import java.util.function.Consumer;

/** Passes the selections that the scheduler polls on to the ledger, which needs the candidates when their findings arrive. */
record ObservedSignal(LeakSignal delegate, Consumer<List<LeakCandidate>> selections) implements LeakSignal {
    @Override
    public boolean enabled() {
        return delegate.enabled();
    }

    @Override
    public void maintain(long nowNanos) {
        delegate.maintain(nowNanos);
    }

    @Override
    public boolean hasCandidate() {
        return delegate.hasCandidate();
    }

    @Override
    public List<LeakCandidate> selectCandidates(int max) {
        List<LeakCandidate> selection = delegate.selectCandidates(max);
        selections.accept(selection);
        return selection;
    }

    @Override
    public double secondsToExhaustion() {
        return delegate.secondsToExhaustion();
    }
}
