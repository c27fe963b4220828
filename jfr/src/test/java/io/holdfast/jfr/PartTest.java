package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PartTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();

    /** A stream may end on its own thread before the one that opened it has come back. */
    @Test
    void whatEndsWhileItIsOpenedDoesNotTurnOutItsReplacement() {
        Part<AutoCloseable> part = new Part<>("Nothing", new Counters(), "test.failures");
        AutoCloseable standIn = () -> closed.add("stand-in");
        part.start(() -> {
            part.replace(() -> standIn);
            return () -> closed.add("first");
        }, opened -> { });
        assertThat(part.await()).isTrue();
        assertThat(part.current()).isSameAs(standIn);
        assertThat(closed).containsExactly("first");
        part.close();
        assertThat(closed).containsExactly("first", "stand-in");
    }
}
