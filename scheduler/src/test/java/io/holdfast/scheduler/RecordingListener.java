package io.holdfast.scheduler;

import java.util.ArrayList;
import java.util.List;

import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchSummary;

class RecordingListener implements LoopListener {
    final List<String> calls = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    int iterations;

    @Override
    public void onIteration(long nowNanos) {
        iterations++;
    }

    @Override
    public void onPass(PassReport report, SearchSummary summary) {
        calls.add("pass " + summary.id());
    }

    @Override
    public void onFindings(List<SearchFinding> findings) {
        calls.add("findings " + findings.size());
    }

    @Override
    public void onSearchEnded(SearchSummary summary) {
        calls.add("ended " + summary.id() + " " + summary.state());
    }

    @Override
    public void onFailure(Throwable failure) {
        failures.add(failure);
    }
}
