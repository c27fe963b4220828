package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PartTest {
    private final List<String> closed = new CopyOnWriteArrayList<>();

    /** A question to the VM takes seconds on a busy machine; who wants a report meanwhile does not wait for it. */
    @Test
    void aReasonIsGivenWhileThereIsWork() throws Exception {
        Part<AutoCloseable> part = new Part<>("Nothing", new Counters(), "test.failures");
        part.start(() -> () -> closed.add("first"), opened -> { });
        assertThat(part.await()).isTrue();
        FutureTask<Optional<String>> asked = new FutureTask<>(part::failure);
        Optional<String> answer = part.use(open -> {
            new Thread(asked).start();
            try {
                return asked.get(300, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }, Optional.of("nothing is open"));
        assertThat(answer).isEmpty();
        part.close();
    }

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
