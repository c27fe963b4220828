package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ThreadIdsTest {
    /** Up to JDK 18 a program may replace the method. */
    private static final class Custom extends Thread {
        private final AtomicBoolean asked = new AtomicBoolean();

        Custom(Runnable work) {
            super(work);
        }

        @Override
        @SuppressWarnings("deprecation")
        public long getId() {
            asked.set(true);
            throw new IllegalStateException("code of the program ran");
        }
    }

    @Test
    @SuppressWarnings("deprecation")
    void a_thread_of_the_jdk_has_its_own_id() {
        Thread plain = new Thread(() -> { });
        assertThat(ThreadIds.of(plain)).isEqualTo(plain.getId());
    }

    @Test
    void watch_asks_no_thread_of_the_program() throws InterruptedException {
        World world = new World();
        Object object = new Object();
        Custom custom = new Custom(() -> world.tracker.watch(object, "label"));
        custom.start();
        custom.join();
        world.secondPasses();
        assertThat(custom.asked).isFalse();
        assertThat(world.tracker.status().rows()).isEqualTo(1);
    }

    @Test
    void the_number_of_a_thread_that_is_not_asked_is_negative_and_stays() {
        Thread thread = new Custom(() -> { });
        assertThat(ThreadIds.pseudoId(thread)).isNegative().isEqualTo(ThreadIds.pseudoId(thread));
    }
}
