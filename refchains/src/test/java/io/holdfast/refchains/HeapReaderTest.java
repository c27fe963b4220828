package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.heap.Fixtures;
import io.holdfast.refchains.test.heap.Redeployed;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class HeapReaderTest {
    /** Of the class object itself. */
    private static final String CLASS_VALUES = "classValueMap";

    private static final String REDEPLOYED = Redeployed.class.getName();

    private final Counters counters = new Counters();
    private final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters).reader();

    /** The reference in a field that the plan names. */
    private Object read(Object object, Class<?> declaring, String field) {
        ClassPlan plan = reader.plan(object);
        int i = index(plan, declaring.getName(), field);
        assertThat(i).as("%s.%s in %s", declaring.getName(), field, plan).isNotNegative();
        return reader.reference(object, plan.offset(i));
    }

    private static int index(ClassPlan plan, String declaring, String field) {
        for (int i = 0; i < plan.fieldCount(); i++) {
            if (plan.field(i).equals(field) && plan.declaringClass(i).equals(declaring)) {
                return i;
            }
        }
        return -1;
    }

    private static List<String> fields(ClassPlan plan) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < plan.fieldCount(); i++) {
            names.add(plan.field(i));
        }
        return names;
    }

    @Test
    void readsRecords() {
        Object left = new Object();
        Fixtures.Pair pair = new Fixtures.Pair(left, "right", 3);
        assertThat(read(pair, Fixtures.Pair.class, "left")).isSameAs(left);
        assertThat(read(pair, Fixtures.Pair.class, "right")).isSameAs(pair.right());
        ClassPlan plan = reader.plan(pair);
        assertThat(plan.shape()).isEqualTo(Shape.OBJECT);
        assertThat(plan.fieldCount()).isEqualTo(2);
        assertThat(plan.mayLead(index(plan, plan.className(), "left"))).isTrue();
        assertThat(plan.mayLead(index(plan, plan.className(), "right"))).isFalse();
    }

    @Test
    void readsLambdas() {
        Object captured = new Object();
        for (Object lambda : List.of(Fixtures.capture(captured), Fixtures.captureSerializable(captured))) {
            ClassPlan plan = reader.plan(lambda);
            assertThat(plan.fieldCount()).isEqualTo(1);
            assertThat(reader.reference(lambda, plan.offset(0))).isSameAs(captured);
        }
        Supplier<Object> capturesNothing = () -> "";
        assertThat(reader.plan(Fixtures.capture(capturesNothing)).shape()).isEqualTo(Shape.OBJECT);
    }

    @Test
    void readsEnumsWithTheirInheritedFields() {
        assertThat(read(Fixtures.Colour.RED, Fixtures.Colour.class, "words")).isSameAs(Fixtures.Colour.RED.words());
        assertThat(read(Fixtures.Colour.RED, Enum.class, "name")).isEqualTo("RED");
    }

    @Test
    void tellsFieldsOfOneNameApart() {
        Object inherited = new Object();
        Object own = new Object();
        Fixtures.Derived derived = new Fixtures.Derived(inherited, own);
        assertThat(read(derived, Fixtures.Derived.class, "value")).isSameAs(own);
        assertThat(read(derived, Fixtures.Base.class, "value")).isSameAs(inherited);
        ClassPlan plan = reader.plan(derived);
        assertThat(plan.mayLead(index(plan, plan.className(), "numbers"))).isFalse();
    }

    @Test
    void readsProxies() {
        Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (self, method, arguments) -> {
            throw new AssertionError("called " + method);
        });
        assertThat(read(proxy, Proxy.class, "h")).isSameAs(Proxy.getInvocationHandler(proxy));
    }

    @Test
    void knowsShapes() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        assertThat(reader.plan(new Object[0]).shape()).isEqualTo(Shape.OBJECT_ARRAY);
        assertThat(reader.plan(new int[0][0]).shape()).isEqualTo(Shape.OBJECT_ARRAY);
        assertThat(reader.plan(new int[0]).shape()).isEqualTo(Shape.LEAF);
        assertThat(reader.plan("text").shape()).isEqualTo(Shape.LEAF);
        assertThat(reader.plan((Object) 1).shape()).isEqualTo(Shape.LEAF);
        assertThat(reader.plan(new Object()).shape()).isEqualTo(Shape.LEAF);
        for (Object value : List.of(java.util.UUID.randomUUID(), java.time.Instant.now(), java.time.Duration.ZERO, java.time.LocalDate.EPOCH,
                java.time.LocalTime.NOON)) {
            assertThat(reader.plan(value).fieldCount()).as("%s has no reference fields", value.getClass()).isZero();
            assertThat(reader.plan(value).shape()).isEqualTo(Shape.LEAF);
        }
        assertThat(reader.plan(new Fixtures.NumbersOnly()).shape()).isEqualTo(Shape.LEAF);
        assertThat(reader.plan((Object) String.class).shape()).isEqualTo(Shape.CLASS);
        assertThat(reader.plan(getClass().getClassLoader()).shape()).isEqualTo(Shape.CLASS_LOADER);
        assertThat(reader.plan(Thread.currentThread()).shape()).isEqualTo(Shape.THREAD);
        assertThat(reader.plan(new WeakReference<>(queue)).shape()).isEqualTo(Shape.REFERENCE);
        assertThat(reader.plan(new PhantomReference<>(queue, queue)).shape()).isEqualTo(Shape.REFERENCE);
        assertThat(reader.plan(new SoftReference<>(queue)).shape()).isEqualTo(Shape.SOFT_REFERENCE);
        assertThat(reader.plan(reader).shape()).isEqualTo(Shape.OWN);
        assertThat(reader.plan(new HeapReader[0]).shape()).isEqualTo(Shape.OWN);
        assertThat(reader.plan(new Object[0]).className()).isEqualTo("java.lang.Object[]");
    }

    @Test
    void leavesOutWhatTheCollectorHolds() {
        Object referent = new Object();
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> weak = new WeakReference<>(referent, queue);
        assertThat(fields(reader.plan(weak))).containsExactly("queue");
        SoftReference<Object> soft = new SoftReference<>(referent);
        assertThat(fields(reader.plan(soft))).containsExactly("queue");
        assertThat(reader.reference(soft, reader.plan(soft).referentOffset())).isSameAs(referent);
        assertThat(reader.plan(weak).referentOffset()).isEqualTo(ClassPlan.NO_OFFSET);
        Reference.reachabilityFence(referent);
    }

    @Test
    void readsInternalsOfTheJdk() {
        Map<String, Object> map = new HashMap<>(Map.of("key", new Object()));
        assertThat(read(map, HashMap.class, "table")).isInstanceOf(Object[].class);
        ClassLoader loader = getClass().getClassLoader();
        assertThat(read(loader, ClassLoader.class, "classes")).isInstanceOf(ArrayList.class);
        ThreadLocal<Object> local = new ThreadLocal<>();
        local.set(map);
        assertThat(read(Thread.currentThread(), Thread.class, "threadLocals")).isNotNull();
        local.remove();
        int size = reader.intField(map, reader.offsetOf(HashMap.class, "size"));
        assertThat(size).isEqualTo(1);
    }

    @Test
    void findsOffsetsByName() {
        Fixtures.NumbersOnly numbers = new Fixtures.NumbersOnly();
        assertThat(reader.intField(numbers, reader.offsetOf(Fixtures.NumbersOnly.class, "first"))).isEqualTo(1);
        assertThat(reader.longField(numbers, reader.offsetOf(Fixtures.NumbersOnly.class, "second"))).isEqualTo(2);
        assertThat(reader.offsetOf(Fixtures.NumbersOnly.class, "third")).isEqualTo(-1);
        assertThat(reader.offsetOf(int[].class, "length")).isEqualTo(-1);
        assertThat(reader.offsetOf(Fixtures.Registry.class, "ACTIVE")).as("a static field is no instance field").isEqualTo(-1);
        Object inherited = new Object();
        Fixtures.Base base = new Fixtures.Base(inherited) { };
        assertThat(reader.reference(base, reader.offsetOf(base.getClass(), "value"))).isSameAs(inherited);
    }

    @Test
    void readsStaticsWithoutInitialisingTheClass() throws Exception {
        Class<?> type = Class.forName(Fixtures.Noisy.class.getName(), false, getClass().getClassLoader());
        ClassPlan before = reader.statics(type);
        assertThat(before.fieldCount()).isZero();
        reader.plan(type);
        assertThat(System.getProperty(Fixtures.Noisy.PROPERTY)).isNull();
        Object held = Fixtures.Noisy.HELD;
        try {
            ClassPlan after = reader.statics(type);
            int i = index(after, type.getName(), "HELD");
            assertThat(reader.reference(type, after.offset(i))).isSameAs(held);
            assertThat(after.id()).isEqualTo(before.id());
            assertThat(reader.statics(type)).isSameAs(after);
        } finally {
            System.clearProperty(Fixtures.Noisy.PROPERTY);
        }
    }

    @Test
    void readsStaticsOfClassesAndInterfaces() {
        Object active = Fixtures.Registry.ACTIVE;
        assertThat(fields(reader.statics(Fixtures.Registry.class))).containsExactly("ACTIVE", CLASS_VALUES);
        assertThat(reader.reference(Fixtures.Registry.class, reader.statics(Fixtures.Registry.class).offset(0))).isSameAs(active);
        Object shared = Fixtures.Constants.SHARED;
        assertThat(reader.reference(Fixtures.Constants.class, reader.statics(Fixtures.Constants.class).offset(0))).isSameAs(shared);
        assertThat(reader.statics(int[].class).fieldCount()).isZero();
        assertThat(reader.statics(int.class).fieldCount()).isZero();
    }

    @Test
    void doesNotStartAtTheLaunchersMainClassOrAtFinalizers() throws Exception {
        Class<?> launcher = Class.forName("sun.launcher.LauncherHelper");
        assertThat(fields(reader.statics(launcher))).isNotEmpty().doesNotContain("appClass");
        // Only the queue of those whose object is dead, not the list of all.
        assertThat(fields(reader.statics(Class.forName("java.lang.ref.Finalizer")))).containsExactly("queue", CLASS_VALUES);
        assertThat(reader.statics(HeapAccess.class).fieldCount()).isZero();
    }

    @Test
    void runsNoCodeOfACustomLoader() throws Exception {
        CopyingLoader loader = new CopyingLoader(REDEPLOYED, REDEPLOYED + "$Missing");
        Class<?> type = Class.forName(REDEPLOYED, true, loader);
        Object object = type.getConstructor().newInstance();
        Object lambda = type.getMethod("lambda").invoke(object);
        Method node = type.getMethod("node", Object.class);
        Object payload = type.getMethod("payload").invoke(object);
        Object someNode = node.invoke(object, payload);
        loader.takeAsked();

        ClassPlan plan = reader.plan(object);
        ClassPlan statics = reader.statics(type);
        ClassPlan lambdaPlan = reader.plan(lambda);
        ClassPlan nodePlan = reader.plan(someNode);

        assertThat(loader.takeAsked()).isEmpty();
        assertThat(fields(plan)).containsExactlyInAnyOrder("payload", "words", "unused", "unusedArray", "missing", "numbers", "text");
        assertThat(fields(statics)).containsExactlyInAnyOrder("TABLE", "unusedStatic", CLASS_VALUES);
        assertThat(fields(nodePlan)).containsExactlyInAnyOrder("key", "value", "unused", "next");
        assertThat(plan.customLoader()).isTrue();
        assertThat(plan.mayLead(fields(plan).indexOf("numbers"))).isFalse();
        assertThat(plan.mayLead(fields(plan).indexOf("text"))).isFalse();
        assertThat(plan.mayLead(fields(plan).indexOf("missing"))).isTrue();
        assertThat(read(object, type, "payload")).isSameAs(payload);
        assertThat(read(someNode, someNode.getClass(), "value")).isSameAs(payload);
        assertThat(reader.reference(type, statics.offset(fields(statics).indexOf("TABLE")))).isEqualTo(Map.of("key", "value"));
        assertThat(reader.reference(lambda, lambdaPlan.offset(0))).isSameAs(object);
        assertThat(counters.snapshot()).isEmpty();
    }

    @Test
    void doesNotPinLoaders() throws Exception {
        WeakReference<ClassLoader> loader = planInALoaderOfItsOwn();
        long end = System.nanoTime() + 300_000_000_000L;
        while (loader.get() != null && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(loader.get()).isNull();
        assertThat(reader.plan("still works").shape()).isEqualTo(Shape.LEAF);
    }

    private WeakReference<ClassLoader> planInALoaderOfItsOwn() throws Exception {
        URL classes = Redeployed.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, null)) {
            Class<?> type = Class.forName(REDEPLOYED, true, loader);
            Object object = type.getConstructor().newInstance();
            assertThat(reader.plan(object).customLoader()).isTrue();
            assertThat(reader.statics(type).fieldCount()).isEqualTo(3);
            assertThat(reader.plan(type.getMethod("lambda").invoke(object)).fieldCount()).isEqualTo(1);
            assertThat(reader.offsetOf(type, "payload")).isPositive();
            return new WeakReference<>(loader);
        }
    }

    @Test
    void numbersPlansDensely() {
        List<Integer> ids = new ArrayList<>();
        for (Object object : List.of("", 1, new Object(), List.of(), new int[0])) {
            ids.add(reader.plan(object).id());
        }
        assertThat(ids).containsExactly(0, 1, 2, 3, 4);
        assertThat(reader.plan("again").id()).isZero();
        assertThat(reader.statics(String.class).id()).isEqualTo(5);
        assertThat(reader.plan(String.class).className()).isEqualTo(ClassNames.of(String.class));
    }
}
