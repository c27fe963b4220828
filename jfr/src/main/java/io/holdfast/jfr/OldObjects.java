package io.holdfast.jfr;

import io.holdfast.core.ClassNames;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootConfirmation.Match;
import io.holdfast.core.RootConfirmation.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/*
 * Which of the VM's objects is one of ours
 *
 * The VM has samples of its own; whether one of them is also tracked by us cannot be known. Where class and allocating line are the same, it is one of
 * the same population. Where only the class is, it may be another use of it; that is accepted for classes of the program alone, and only for objects
 * that were not there before the oldest one we know. The class of an array or of the JDK says nothing.
 */
/**
 * What the VM had sampled at one moment.
 *
 * @param objects     all of it
 * @param pauseNanos  how long the application was stopped for it
 * @param at          when
 */
record OldObjects(List<OldObject> objects, long pauseNanos, Instant at) {
    /** The answer to one question. Pure. */
    RootConfirmation answer(RootQuestion question) {
        String wanted = ClassNames.stable(question.className());
        List<OldObject> ofClass = objects.stream().filter(object -> ClassNames.stable(object.className()).equals(wanted)).toList();
        List<CallerFrame> callers = question.stacks().stream().map(CallerFrame::of).filter(Objects::nonNull).toList();
        List<OldObject> matched = ofClass.stream().filter(object -> callers.stream().anyMatch(caller -> caller.same(object.caller()))).toList();
        Match match = Match.CLASS_AND_SITE;
        if (matched.isEmpty() && !CallerFrame.isJdk(wanted) && !wanted.endsWith("[]")) {
            matched = ofClass.stream().filter(object -> !object.allocatedAt().isBefore(question.since())).toList();
            match = Match.CLASS_AND_TIME;
        }
        if (matched.isEmpty()) {
            return new RootConfirmation(Outcome.NO_SAMPLE, null, objects.size(), 0, null, null, null, null, List.of(), pauseNanos, at);
        }
        OldObject shown = mostFrequentWay(matched);
        if (shown == null) {
            return new RootConfirmation(Outcome.NO_PATH, match, objects.size(), matched.size(), null, null, null, null, List.of(), pauseNanos, at);
        }
        return new RootConfirmation(Outcome.CHAIN, match, objects.size(), matched.size(), shown.rootSystem(), shown.rootType(), shown.rootDetail(),
                shown.rootClass(), shown.path(), pauseNanos, at);
    }

    /** Of the way in which most are held the first object; null when the VM found no way at all. */
    private static OldObject mostFrequentWay(List<OldObject> matched) {
        Map<String, Integer> times = new HashMap<>();
        matched.stream().filter(OldObject::hasPath).forEach(object -> times.merge(object.way(), 1, Integer::sum));
        int most = times.values().stream().max(Comparator.naturalOrder()).orElse(0);
        return matched.stream().filter(object -> object.hasPath() && times.get(object.way()) == most).findFirst().orElse(null);
    }
}
