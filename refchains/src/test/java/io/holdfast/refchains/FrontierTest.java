package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FrontierTest {
    private record Item(Object object, int entry, int cursor) { }

    /** Commands: below 600 add so many, then remove so many, rotate, end of slice. */
    @Property(tries = 60)
    void behavesLikeAQueue(@ForAll @Size(max = 40) List<@IntRange(min = 0, max = 1_399) Integer> commands) {
        Frontier frontier = new Frontier();
        Deque<Item> model = new ArrayDeque<>();
        List<Object> alive = new ArrayList<>();
        int number = 0;
        for (int command : commands) {
            if (command < 600) {
                for (int i = 0; i < command * 4; i++) {
                    Object object = new Object();
                    alive.add(object);
                    frontier.add(object, number, 0);
                    model.add(new Item(object, number++, 0));
                }
            } else if (command < 1_200) {
                for (int i = 600; i < command && !model.isEmpty(); i++) {
                    assertHead(frontier, model.poll());
                    frontier.remove();
                }
            } else if (command < 1_300 && !model.isEmpty()) {
                Item head = model.poll();
                assertHead(frontier, head);
                frontier.rotate(command);
                model.add(new Item(head.object(), head.entry(), command));
            } else {
                frontier.weaken();
            }
            assertThat(frontier.size()).isEqualTo(model.size());
        }
        while (!model.isEmpty()) {
            assertHead(frontier, model.poll());
            frontier.remove();
        }
        assertThat(frontier.isEmpty()).isTrue();
    }

    private static void assertHead(Frontier frontier, Item item) {
        // thousands of times a try: the plain comparison is much cheaper than an assertion
        if (frontier.object() != item.object() || frontier.entry() != item.entry() || frontier.cursor() != item.cursor()) {
            throw new AssertionError("expected " + item + ", was entry " + frontier.entry() + " at " + frontier.cursor());
        }
    }

    @Example
    void holdsNothingStronglyAfterTheSlice() {
        Frontier frontier = new Frontier();
        List<WeakReference<Object>> watched = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Object object = new Object();
            watched.add(new WeakReference<>(object));
            frontier.add(object, i, 0);
        }
        for (int i = 0; i < 10; i++) {
            frontier.remove();
        }
        frontier.rotate(1);
        frontier.weaken();
        System.gc();
        assertThat(watched).allSatisfy(reference -> assertThat(reference.get()).isNull());
        assertThat(frontier.object()).isNull();
        assertThat(frontier.size()).isEqualTo(2_990);
    }
}
