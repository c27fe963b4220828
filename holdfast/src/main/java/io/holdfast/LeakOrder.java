package io.holdfast;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which leak is shown first: what is certain before what is not, then by bytes an hour. But what one request leaves in two places grows at the same pace in
 * both; if the elements of one state a time, by which they may be taken out again, and those of the other do not, the other is the likelier leak, whatever each
 * weighs and however certain it is. The first then comes directly behind it.
 */
final class LeakOrder {
    /** Paces that differ by no more than this factor are the same. */
    private static final double SAME_PACE = 1.25;

    private static final Comparator<Leak> WORST_FIRST = Comparator
            .comparingInt((Leak l) -> switch (l.state()) {
                case EXPLAINED, CONFIRMED -> 0;
                case UNEXPLAINED, PROVISIONAL -> 1;
                case RESOLVED -> 2;
            })
            .thenComparing(Comparator.comparingLong((Leak l) -> l.live().bytesPerHour()).reversed())
            .thenComparing(Comparator.comparingDouble(LeakOrder::pace).reversed())
            .thenComparing(Leak::id);

    private LeakOrder() { }

    /** Worst first. The argument is not changed. */
    static List<Leak> worstFirst(List<Leak> leaks) {
        List<Leak> order = new ArrayList<>(leaks);
        order.sort(WORST_FIRST);
        for (int i = order.size() - 2; i >= 0; i--) {
            int behind = i;
            for (int below = i + 1; below < order.size(); below++) {
                behind = likelier(order.get(below), order.get(i)) ? below : behind;
            }
            order.add(behind, order.remove(i));
        }
        return List.copyOf(order);
    }

    private static boolean likelier(Leak lower, Leak upper) {
        return timed(upper) && !timed(lower) && upper.state() != LeakState.RESOLVED && lower.state() != LeakState.RESOLVED
                && pace(upper) > 0 && pace(lower) * SAME_PACE >= pace(upper) && pace(lower) <= pace(upper) * SAME_PACE;
    }

    private static boolean timed(Leak leak) {
        return leak.growth() != null && leak.growth().timeField() != null;
    }

    private static double pace(Leak leak) {
        return leak.growth() == null ? 0 : leak.growth().elementsPerHour();
    }
}
