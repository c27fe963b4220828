package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LanesTest {
    private final List<Object> alive = new ArrayList<>();

    private Object object() {
        Object object = new Object();
        alive.add(object);
        return object;
    }

    /** Takes the head out and returns its entry. */
    private static int take(Lanes lanes) {
        lanes.choose();
        int entry = lanes.entry();
        lanes.remove();
        lanes.headDone();
        return entry;
    }

    /** Else a failure in what is walked after it would cost the next one, which has done nothing. */
    @Example
    void aHeadThatWasTakenOutTurnedOrCutOffIsNoLongerInHand() {
        Lanes lanes = new Lanes();
        for (int i = 0; i < 4; i++) {
            lanes.add(object(), i, 0);
        }
        for (Runnable end : List.<Runnable>of(lanes::remove, () -> lanes.rotate(7), () -> lanes.moveCursor(7))) {
            lanes.choose();
            assertThat(lanes.headInHand()).isTrue();
            end.run();
            assertThat(lanes.headInHand()).isFalse();
            lanes.headDone();
        }
    }

    /** Commands: add some, add some urgently, take some that each lead to one more, end of the slice. Even entries are ordinary, odd ones urgent. */
    @Property(tries = 40)
    void eachLaneIsInOrderAndNeitherWaitsLongerThanABatchOfTheOther(@ForAll @Size(max = 60) List<@IntRange(min = 0, max = 399) Integer> commands) {
        Lanes lanes = new Lanes();
        Deque<Integer> ordinary = new ArrayDeque<>();
        Deque<Integer> urgent = new ArrayDeque<>();
        int number = 0;
        int inARow = 0;
        boolean last = false;
        for (int command : commands) {
            if (command < 100) {
                for (int i = 0; i < command; i++) {
                    lanes.add(object(), 2 * number, 0);
                    ordinary.add(2 * number++);
                }
            } else if (command < 200) {
                for (int i = 100; i < command; i++) {
                    boolean full = urgent.size() >= Lanes.PRIORITY_CAP;
                    assertThat(lanes.urgentFull()).isEqualTo(full);
                    lanes.addUrgent(object(), 2 * number + 1, 0);
                    (full ? ordinary : urgent).add(2 * number++ + 1);
                }
            } else if (command < 390) {
                for (int i = 200; i < command && !lanes.isEmpty(); i++) {
                    lanes.choose();
                    boolean fromUrgent = !urgent.isEmpty() && urgent.peek() == lanes.entry();
                    boolean contested = !urgent.isEmpty() && !ordinary.isEmpty();
                    assertThat(lanes.entry()).isEqualTo((fromUrgent ? urgent : ordinary).poll());
                    inARow = contested && (inARow == 0 || last == fromUrgent) ? inARow + 1 : contested ? 1 : 0;
                    last = fromUrgent;
                    assertThat(inARow).isLessThanOrEqualTo(Lanes.BATCH);
                    lanes.remove();
                    lanes.add(object(), number * 2, 0);
                    (fromUrgent && urgent.size() < Lanes.PRIORITY_CAP ? urgent : ordinary).add(2 * number++);
                    lanes.headDone();
                }
            } else {
                lanes.weaken();
            }
            assertThat(lanes.size()).isEqualTo(ordinary.size() + urgent.size());
        }
    }

    /** A lane whose turn began anew with each slice would be the only one in slices of less than a batch. */
    @Example
    void theTurnGoesOnOverSlices() {
        Lanes lanes = new Lanes();
        int urgentTaken = 0;
        for (int i = 0; i < 2_000; i++) {
            lanes.add(object(), 0, 0);
        }
        for (int i = 0; i < 1_000; i++) {
            lanes.addUrgent(object(), 1, 0);
        }
        for (int slice = 0; slice < 200; slice++) {
            for (int i = 0; i < 8; i++) {
                urgentTaken += take(lanes);
            }
            lanes.weaken();
        }
        assertThat(urgentTaken).isBetween(800 - Lanes.BATCH, 800 + Lanes.BATCH);
    }

    @Example
    void moreThanThePriorityLaneTakesIsOrdinary() {
        Lanes lanes = new Lanes();
        lanes.add(object(), 0, 0);
        for (int i = 1; i <= Lanes.PRIORITY_CAP + 1; i++) {
            lanes.addUrgent(object(), i, 0);
        }
        assertThat(lanes.urgentFull()).isTrue();
        assertThat(lanes.size()).isEqualTo(Lanes.PRIORITY_CAP + 2);
        List<Integer> order = new ArrayList<>();
        while (!lanes.isEmpty()) {
            order.add(take(lanes));
        }
        assertThat(order.indexOf(0)).isEqualTo(Lanes.BATCH);
        assertThat(order.indexOf(Lanes.PRIORITY_CAP + 1)).as("behind the one that was ordinary before it").isEqualTo(Lanes.BATCH + 1);
    }
}
