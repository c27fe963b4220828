package io.holdfast.scheduler;

import java.util.ArrayList;
import java.util.List;

import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchSummary;

class RecordingListener implements LoopListener {
    final List<String> calls = new ArrayList<>();
    final List<Throwable> failures = new ArrayList<>();
    final List<PassConditions> conditions = new ArrayList<>();
    ScriptedUsage usage = new ScriptedUsage();
    HoldfastLoop loop;
    /** Whether a chain is taken for an explanation. */
    boolean explains = true;
    long lookCpu;
    long iterationCpu;
    int looks;
    int iterations;

    @Override
    public void onLook(long nowNanos) {
        looks++;
        usage.cpu += lookCpu;
    }

    @Override
    public void onIteration(long nowNanos) {
        iterations++;
        usage.cpu += iterationCpu;
    }

    @Override
    public void onPass(PassReport report, SearchSummary summary, PassConditions passConditions) {
        conditions.add(passConditions);
        calls.add("pass " + summary.id());
    }

    @Override
    public void onFindings(List<SearchFinding> findings) {
        calls.add("findings " + findings.size());
        if (explains && loop != null) {
            findings.stream().filter(finding -> finding.reached() > 0).forEach(finding -> loop.explained(finding.candidateId()));
        }
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
