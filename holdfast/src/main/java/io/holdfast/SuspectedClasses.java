package io.holdfast;

import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.GrowthSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The candidates of both sources for the scheduler: classes whose sampled instances survive, and what grows from walk to walk. Passes the selections
 * on to the ledger, which needs the candidates when their findings arrive.
 */
record SuspectedClasses(LeakSignal sampled, GrowthSurvey survey, Ticker ticker, Consumer<List<LeakCandidate>> selections) implements LeakSignal {
    /** Places kept for what grows while there are more suspects than places. */
    private static final int PLACES_FOR_SURVEY = 2;

    @Override
    public boolean enabled() {
        return sampled.enabled();
    }

    @Override
    public void maintain(long nowNanos) {
        sampled.maintain(nowNanos);
    }

    @Override
    public boolean hasCandidate() {
        return sampled.hasCandidate() || survey.any(ticker.nanos());
    }

    @Override
    public boolean surveyDue(long nowNanos) {
        return survey.due(nowNanos);
    }

    @Override
    public List<LeakCandidate> selectCandidates(int max) {
        List<LeakCandidate> fromSurvey = survey.candidates(max, ticker.nanos());
        List<LeakCandidate> selection = new ArrayList<>(sampled.selectCandidates(max - Math.min(PLACES_FOR_SURVEY, fromSurvey.size())));
        fromSurvey.stream().limit(max - selection.size()).forEach(selection::add);
        selections.accept(selection);
        return selection;
    }

    @Override
    public double secondsToExhaustion() {
        return sampled.secondsToExhaustion();
    }
}
