package io.holdfast;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.ReferenceChain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one request leaves behind in several places (a timer in a map, and in the queue of its time) grows at one pace in each of them. That is one leak, and whoever
 * mends it has to know all its places: the worst stands for all, the others' chains follow its own, and a hint names each. Two causes that happen to keep pace are
 * joined as well; both are told then.
 */
final class LeaksInStep {
    /** Paces that differ by no more than this factor are one. Two registries that the same calls fill differed by up to 4 % after ten seconds. */
    private static final double SAME_PACE = 1.1;
    /** With fewer elements gained a pace is not known well enough. */
    private static final long MIN_GAINED = 50;
    private static final int MAX_CHAINS = 8;
    /** Of each place joined: the first says most. */
    private static final int MAX_CHAINS_JOINED = 2;
    /** Places joined with one leak; what is more stays a leak of its own. */
    static final int MAX_JOINED = 3;

    private LeaksInStep() { }

    /** Each leak, or the one it is joined with, in the same order. */
    static List<Leak> joined(List<Leak> worstFirst) {
        List<Leak> joined = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (Leak leak : worstFirst) {
            int with = 0;
            while (with < joined.size() && !(places.get(with) < MAX_JOINED && inStep(joined.get(with), leak))) {
                with++;
            }
            if (with == joined.size()) {
                joined.add(leak);
                places.add(0);
            } else {
                joined.set(with, join(joined.get(with), leak));
                places.set(with, places.get(with) + 1);
            }
        }
        return List.copyOf(joined);
    }

    private static boolean inStep(Leak worse, Leak other) {
        if (!paced(worse) || !paced(other)) {
            return false;
        }
        double pace = worse.growth().elementsPerHour();
        double otherPace = other.growth().elementsPerHour();
        return pace <= otherPace * SAME_PACE && otherPace <= pace * SAME_PACE;
    }

    private static boolean paced(Leak leak) {
        return leak.state() != LeakState.RESOLVED && leak.growth() != null && leak.growth().elementsGrowth() >= MIN_GAINED && leak.growth().elementsPerHour() > 0;
    }

    private static Leak join(Leak worse, Leak other) {
        Set<String> sampled = new LinkedHashSet<>(worse.sampledClasses());
        sampled.addAll(other.sampledClasses());
        List<ReferenceChain> more = other.chains().subList(0, Math.min(MAX_CHAINS_JOINED, other.chains().size()));
        List<ReferenceChain> chains = new ArrayList<>(worse.chains().subList(0, Math.min(worse.chains().size(), MAX_CHAINS - more.size())));
        chains.addAll(more);
        List<String> hints = new ArrayList<>(worse.hints());
        hints.add("As many come to " + other.growth().holder().replace('#', '.') + " (" + other.className() + "), most likely from the same calls: look there as well.");
        LeakState state = other.state() == LeakState.EXPLAINED && worse.state() == LeakState.PROVISIONAL ? other.state() : worse.state();
        return new Leak(worse.id(), worse.className(), state, worse.outcome(), List.copyOf(sampled), worse.trend(), worse.live(), worse.growth(),
                worse.allocation(), chains, hints, worse.confirmation());
    }
}
