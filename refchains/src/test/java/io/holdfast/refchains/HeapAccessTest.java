package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.heap.Fixtures;
import io.holdfast.refchains.test.heap.Redeployed;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HeapAccessTest {
    private final Counters counters = new Counters();

    private static Instrumentation instrumentation(Class<?>... loaded) {
        return (Instrumentation) Proxy.newProxyInstance(HeapAccessTest.class.getClassLoader(), new Class<?>[] {Instrumentation.class},
                (self, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("getAllLoadedClasses");
                    return loaded;
                });
    }

    private HeapAccess plain() {
        return HeapAccess.open(Optional.empty(), Optional.empty(), counters);
    }

    @Test
    void takesTheBestLevel() {
        Optional<MethodHandles.Lookup> trusted = TrustedLookup.fromUnsafe();
        HeapAccess agent = HeapAccess.open(trusted, Optional.of(instrumentation(Fixtures.Registry.class)), counters);
        assertThat(agent.level()).isEqualTo("agent");
        assertThat(agent.roots().classes()).containsExactly(Fixtures.Registry.class);
        assertThat(HeapAccess.open(trusted, Optional.empty(), counters).level()).isEqualTo("trusted");
        assertThat(plain().level()).isEqualTo("plain");
        assertThat(counters.snapshot()).isEmpty();
    }

    @Test
    void aLookupThatIsNotTrustedFallsBack() {
        HeapAccess access = HeapAccess.open(Optional.of(MethodHandles.publicLookup()), Optional.empty(), counters);
        assertThat(access.level()).isEqualTo("plain");
        assertThat(counters.get(HeapAccess.UNSUPPORTED)).isEqualTo(1);
    }

    @Test
    void withoutAnAgentClassesComeFromTheLoaders() throws Exception {
        HeapAccess access = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters);
        Fixtures.Registry.count++;
        CopyingLoader context = new CopyingLoader(Redeployed.class.getName(), null);
        Class.forName(Redeployed.class.getName(), true, context);
        CountDownLatch release = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                release.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }, "worker");
        worker.setContextClassLoader(context);
        worker.start();
        try {
            access.reader().plan(new HashMap<>());
            assertThat(access.roots().classes()).contains(Fixtures.Registry.class, HashMap.class, Object.class).doesNotContain(HeapAccess.class);
            assertThat(access.roots().loaders()).contains(context);
            assertThat(access.roots().threads()).contains(Thread.currentThread(), worker);
        } finally {
            release.countDown();
            worker.join();
        }
    }

    @Test
    void plainReadsOpenPackagesAndNamesClosedOnes() {
        HeapAccess access = plain();
        HeapReader reader = access.reader();
        Object left = new Object();
        Fixtures.Pair pair = new Fixtures.Pair(left, "right", 3);
        ClassPlan plan = reader.plan(pair);
        assertThat(plan.fieldCount()).isEqualTo(2);
        assertThat(List.of(reader.reference(pair, plan.offset(0)), reader.reference(pair, plan.offset(1)))).containsExactlyInAnyOrder(left, "right");
        assertThat(reader.intField(pair, reader.offsetOf(Fixtures.Pair.class, "number"))).isEqualTo(3);
        assertThat(reader.offsetOf(Fixtures.Pair.class, "absent")).isEqualTo(-1);
        Object lambda = Fixtures.capture(left);
        assertThat(reader.reference(lambda, reader.plan(lambda).offset(0))).isSameAs(left);
        Fixtures.Derived derived = new Fixtures.Derived(left, pair);
        ClassPlan derivedPlan = reader.plan(derived);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < derivedPlan.fieldCount(); i++) {
            if (derivedPlan.field(i).equals("value")) {
                values.add(reader.reference(derived, derivedPlan.offset(i)));
            }
        }
        assertThat(values).as("own and inherited").containsExactly(pair, left);
        assertThat(access.closedPackages()).isEmpty();
        assertThat(reader.plan(new HashMap<>()).fieldCount()).isZero();
        reader.plan(new java.util.TreeMap<>());
        reader.plan(Thread.currentThread());
        assertThat(access.closedPackages()).containsExactly("java.base/java.lang", "java.base/java.util");
        assertThat(counters.get(ClosedPackages.CLOSED)).isEqualTo(2);
    }

    @Test
    void plainReadsStaticsOnlyOfClassesThatAreSurelyInitialised() throws Exception {
        HeapReader reader = plain().reader();
        Class<?> noisy = Class.forName(Fixtures.Noisy.class.getName(), false, getClass().getClassLoader());
        boolean before = System.getProperty(Fixtures.Noisy.PROPERTY) != null;
        assertThat(reader.statics(noisy).fieldCount()).isZero();
        assertThat(System.getProperty(Fixtures.Noisy.PROPERTY) != null).isEqualTo(before);
        assertThat(reader.statics(Fixtures.Colour.class).fieldCount()).isZero();
        reader.plan(Fixtures.Colour.RED);
        ClassPlan statics = reader.statics(Fixtures.Colour.class);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < statics.fieldCount(); i++) {
            values.add(reader.reference(Fixtures.Colour.class, statics.offset(i)));
        }
        assertThat(values).contains(Fixtures.Colour.RED, Fixtures.Colour.GREEN);
    }

    @Test
    void plainRefusesClassesWhoseLoaderRunsCodeOfTheApplication() throws Exception {
        CopyingLoader loader = new CopyingLoader(Redeployed.class.getName(), null);
        Object object = Class.forName(Redeployed.class.getName(), true, loader).getConstructor().newInstance();
        loader.takeAsked();
        assertThat(plain().reader().plan(object).shape()).isEqualTo(Shape.LEAF);
        assertThat(loader.takeAsked()).isEmpty();
        assertThat(counters.get(PlanBuilder.UNREADABLE)).isEqualTo(1);
    }

    @Test
    void plainFindsThreadsByTheirGroups() {
        assertThat(plain().roots().threads()).contains(Thread.currentThread());
        assertThat(plain().roots().classes()).isEmpty();
    }
}
