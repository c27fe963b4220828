package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.LeakReport;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What health says, whatever line of Boot says it.
 *
 * @param down    whether the application is to be taken for down
 * @param details verdict, leaks by state, and how much of the heap can be read
 */
record HoldfastHealth(boolean down, Map<String, Object> details) {
    /** Never throws: that Holdfast cannot be asked says nothing about the application. */
    static HoldfastHealth of(RunningHoldfast holdfast, HoldfastProperties.FailOn failOn) {
        try {
            return of(holdfast.get(), failOn);
        } catch (RuntimeException | LinkageError e) {
            return new HoldfastHealth(false, Map.of("verdict", "unknown", "problem", e.getClass().getName() + ": " + e.getMessage()));
        }
    }

    private static HoldfastHealth of(Optional<Holdfast> holdfast, HoldfastProperties.FailOn failOn) {
        return holdfast.flatMap(Holdfast::latest).map(report -> of(report, failOn)).orElseGet(() -> new HoldfastHealth(false, Map.of("verdict", "not running")));
    }

    static HoldfastHealth of(LeakReport report, HoldfastProperties.FailOn failOn) {
        Map<String, Integer> leaks = new LinkedHashMap<>();
        report.leaks().forEach(leak -> leaks.merge(leak.state().word(), 1, Integer::sum));
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("verdict", report.verdict());
        details.put("leaks", leaks);
        details.put("accessLevel", report.jvm().accessLevel());
        return new HoldfastHealth(failOn == HoldfastProperties.FailOn.CONFIRMED && moreThanASuspicion(report.leaks()), details);
    }

    private static boolean moreThanASuspicion(List<Leak> leaks) {
        return leaks.stream().anyMatch(leak -> leak.state() != LeakState.PROVISIONAL && leak.state() != LeakState.RESOLVED);
    }
}
