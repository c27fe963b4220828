package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.refchains.test.Errand;
import io.holdfast.refchains.test.Order;
import io.holdfast.refchains.test.Registry;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.example.library.Wrapper;
import org.junit.jupiter.api.Test;

/** Where an object of the JDK leaks, its chain goes on to what the program has put into it. */
class ContentOfEachTest {
    private static ReferenceChain chain(IntFunction<Object> element) {
        return chain(element, "");
    }

    private static ReferenceChain chain(IntFunction<Object> element, String programPackage) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            elements.add(element.apply(i));
        }
        Registry.active = elements;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class), SearchSettings.defaults(0).withProgramPackage(programPackage))) {
            return bench.find(elements).chains().get(0);
        } finally {
            Registry.active = null;
        }
    }

    private static List<String> fields(ReferenceChain chain) {
        return chain.edges().stream().map(Hop::field).toList();
    }

    @Test
    void whoseTaskAFutureIs() {
        ReferenceChain chain = chain(i -> new FutureTask<>(new Errand(), null));
        assertThat(fields(chain)).containsExactly("active", "elementData", null, "callable", "task");
        assertThat(chain.leafClass()).isEqualTo(Errand.class.getName());
        assertThat(chain.totalHops()).isEqualTo(5);
    }

    @Test
    void whatAllShareIsNotTheContentOfOne() throws InterruptedException {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, Errand.threads());
        try {
            ReferenceChain chain = chain(i -> executor.schedule((Callable<Object>) new Errand(), 1, TimeUnit.HOURS));
            assertThat(chain.leafClass()).isEqualTo(Errand.class.getName());
            Errand shared = new Errand();
            assertThat(fields(chain(i -> new FutureTask<>(shared)))).containsExactly("active", "elementData", null);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void whatAFutureHasCompletedWith() {
        CompletableFuture<?>[] results = new CompletableFuture<?>[16];
        Arrays.setAll(results, i -> CompletableFuture.completedFuture(new Errand()));
        assertThat(chain(i -> results[i]).leafClass()).isEqualTo(Errand.class.getName());
    }

    @Test
    void theFirstElementOfACollection() {
        assertThat(fields(chain(i -> new ArrayList<>(List.of(new Errand(), new Errand()))))).containsExactly("active", "elementData", null, "elementData", null);
    }

    @Test
    void objectsOfTheProgramAndPlainValuesAreTheirOwnContent() {
        assertThat(fields(chain(i -> new Errand()))).hasSize(3);
        assertThat(fields(chain(i -> new String("text " + i)))).hasSize(3);
        assertThat(fields(chain(i -> new byte[20]))).hasSize(3);
        assertThat(fields(chain(i -> Errand.timed()))).hasSize(3);
    }

    @Test
    void whatALibraryHasWrapped() {
        IntFunction<Object> wrapped = i -> new Wrapper(new Wrapper(new Errand()));
        ReferenceChain chain = chain(wrapped, "io.holdfast.refchains.test.");
        assertThat(fields(chain)).containsExactly("active", "elementData", null, "wrapped", "wrapped");
        assertThat(chain.leafClass()).isEqualTo(Errand.class.getName());
        assertThat(fields(chain(wrapped))).as("nobody knows which classes are the program's").hasSize(3);
        assertThat(fields(chain(wrapped, "com.acme."))).as("nothing of the program's").hasSize(3);
        assertThat(fields(chain(i -> new Errand(), "io.holdfast.refchains.test."))).hasSize(3);
    }

    @Test
    void theProgramsObjectRatherThanTheLibrarysAroundIt() {
        IntFunction<Object> task = i -> new FutureTask<>(new Wrapper(new Errand()), null);
        assertThat(chain(task, "io.holdfast.refchains.test.").leafClass()).isEqualTo(Errand.class.getName());
        assertThat(chain(task, "com.acme.").leafClass()).isEqualTo(Wrapper.class.getName());
        assertThat(chain(task).leafClass()).isEqualTo(Wrapper.class.getName());
    }

    @Test
    void aStateThatManyShareIsNotTheContentOfOne() {
        IntFunction<Object> wrapped = i -> new Wrapper(Order.State.values()[i % 2]);
        assertThat(fields(chain(wrapped, "io.holdfast.refchains.test."))).hasSize(3);
        assertThat(fields(chain(i -> new FutureTask<>(new Wrapper(null), Order.State.values()[i % 2]), "io.holdfast.refchains.test.")))
                .as("the library's wrapper is all that is its own").containsExactly("active", "elementData", null, "callable", "task");
    }

    @Test
    void whoHoldsItIsNotItsContent() {
        List<Object> orders = new ArrayList<>();
        List<Object> backs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Order order = new Order();
            orders.add(order);
            backs.add(order.back());
        }
        Registry.active = orders;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class), SearchSettings.defaults(0).withProgramPackage("io.holdfast.refchains.test."))) {
            assertThat(fields(bench.find(backs).chains().get(0))).containsExactly("active", "elementData", null, "back");
        } finally {
            Registry.active = null;
        }
    }

    @Test
    void whoAsksWhatHoldsAnObjectIsNotToldWhatItHolds() {
        List<Object> tasks = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            tasks.add(new FutureTask<>(new Errand(), null));
        }
        Registry.active = tasks;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class), SearchSettings.defaults(0).withoutContents())) {
            assertThat(bench.find(tasks).chains().get(0).leafClass()).isEqualTo(FutureTask.class.getName());
        } finally {
            Registry.active = null;
        }
    }

    @Test
    void whatIsHeldWeaklyIsNotHeld() {
        List<Errand> tasks = new ArrayList<>();
        assertThat(fields(chain(i -> {
            tasks.add(new Errand());
            return new WeakReference<>(tasks.get(i));
        }))).hasSize(3);
        assertThat(tasks).hasSize(16);
    }

    @Test
    void theLookHasAnEnd() {
        assertThat(fields(chain(i -> {
            Object deep = new Errand();
            for (int level = 0; level < 20; level++) {
                deep = new ArrayList<>(List.of(deep));
            }
            return deep;
        }))).hasSize(3);
    }
}
