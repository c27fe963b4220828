package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HeapInspector;
import io.holdfast.agent.ConstructionWatch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The exact hook, in this JVM, with an agent attached. */
class ConstructionWatchTest {
    private final Queue<Object> told = new ConcurrentLinkedQueue<>();
    private final HeapInspector inspector = Inspection.inspector(true);
    private final ConstructionWatch watch = inspector.watchConstructions(told::add).orElseThrow(() -> new AssertionError(inspector.whyNoAgent()));

    static class Watched {
        final int number;

        Watched() {
            this(1);
        }

        Watched(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
            this.number = number;
        }
    }

    static final class Special extends Watched {
        Special() {
            super(2);
        }
    }

    static final class Unwatched { }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void hearsOfEachInstanceWhoeverMakesItAndHowever() throws Exception {
        assertThat(watch.add(Watched.class)).isEmpty();
        IntStream.range(0, 1_000).parallel().forEach(i -> new Watched(i));
        assertThat(told).hasSize(1_000).doesNotHaveDuplicates();
        told.clear();
        Watched special = new Special();
        Watched reflected = Watched.class.getDeclaredConstructor(int.class).newInstance(3);
        assertThat(told).containsExactly(special, reflected);
        told.clear();
        Watched delegating = new Watched();
        new Unwatched();
        assertThatThrownBy(() -> new Watched(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(told).isNotEmpty().allSatisfy(one -> assertThat(one).isSameAs(delegating));
    }

    @Test
    void hearsNothingOnceTheClassIsTakenOut() {
        watch.add(Watched.class);
        watch.add(Watched.class);
        watch.remove(Watched.class);
        new Watched();
        assertThat(told).isNotEmpty();
        told.clear();
        watch.remove(Watched.class);
        new Watched();
        assertThat(told).isEmpty();
    }

    @Test
    void saysWhatCannotBeWatchedAndLetsOnlyOneWatchBeOpen() {
        assertThat(watch.add(Runnable.class)).hasValueSatisfying(why -> assertThat(why).contains("no constructor"));
        assertThat(watch.add(java.util.ArrayList.class)).hasValueSatisfying(why -> assertThat(why).contains("JDK"));
        assertThat(watch.add(int[].class)).isPresent();
        assertThat(inspector.watchConstructions(told::add)).isEmpty();
        watch.close();
        assertThat(watch.add(Watched.class)).contains("the watch is closed");
        ConstructionWatch next = inspector.watchConstructions(told::add).orElseThrow();
        assertThat(next.add(Watched.class)).isEmpty();
        next.close();
        new Watched();
        assertThat(told).isEmpty();
    }
}
