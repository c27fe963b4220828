package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Leak;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {
    private final Listeners<Leak> listeners = new Listeners<>(HoldfastLog.named("test"));

    @Test
    void allAreTold() {
        List<Leak> told = new ArrayList<>();
        listeners.add(this, told::add);
        listeners.add(this, told::add);
        listeners.tell(LeakTextTest.sessionLeak());
        assertThat(told).hasSize(2);
        listeners.clear();
        listeners.tell(LeakTextTest.sessionLeak());
        assertThat(told).hasSize(2);
    }

    @Test
    void oneThatIsRemovedIsToldNoMore() {
        List<Leak> told = new ArrayList<>();
        listeners.add(told, told::add);
        listeners.add(this, told::add);
        listeners.remove(told);
        listeners.remove(new Object());
        listeners.tell(LeakTextTest.sessionLeak());
        assertThat(told).hasSize(1);
    }

    @Test
    void oneThatThrowsDoesNotHurtTheOthersAndIsDroppedInTheEnd() {
        List<String> calls = new ArrayList<>();
        listeners.add(this, leak -> {
            calls.add("bad");
            throw new AssertionError("not ours");
        });
        listeners.add(this, leak -> calls.add("good"));
        for (int i = 0; i < Listeners.MAX_FAULTS + 2; i++) {
            listeners.tell(LeakTextTest.sessionLeak());
        }
        assertThat(calls.stream().filter("bad"::equals)).hasSize(Listeners.MAX_FAULTS);
        assertThat(calls.stream().filter("good"::equals)).hasSize(Listeners.MAX_FAULTS + 2);
    }
}
