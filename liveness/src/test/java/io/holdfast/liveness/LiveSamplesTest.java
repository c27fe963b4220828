package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.LiveSample;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class LiveSamplesTest {
    @Test
    void a_sample_tells_of_its_allocation_after_its_thread_has_gone() {
        World world = new World();
        Throwable stack = new Throwable();
        Held held = world.allocate(new Session(), 3, 7, stack);
        world.collect();
        world.collect();
        // Another four thousand threads: the names of the first are no longer remembered by thread, but with the sample.
        for (int thread = 100; thread < 100 + ThreadNames.MAX_NAMES; thread++) {
            world.allocate(new Session(), 4, thread);
        }
        world.tracker.maintain(world.nanos);
        LiveSample sample = world.tracker.liveSamples(10_000).get(0);
        assertThat(sample.object().refersTo(null)).isFalse();
        assertThat(sample.type().get()).isSameAs(Session.class);
        assertThat(sample.className()).isEqualTo(Session.class.getName());
        assertThat(sample.allocatedAt()).isEqualTo(Instant.ofEpochSecond(5));
        assertThat(sample.allocationEpoch()).isZero();
        assertThat(sample.size()).isEqualTo(40);
        assertThat(sample.weight()).isEqualTo(1);
        assertThat(sample.threadId()).isEqualTo(7);
        assertThat(sample.threadName()).isEqualTo("http-7");
        assertThat(sample.site()).isEqualTo("com.acme.Login.login(Login.java:43)");
        assertThat(sample.stack()).isNotEmpty();
        assertThat(sample.stack().get(0)).startsWith(LiveSamplesTest.class.getName() + ".a_sample_tells");
        Reference.reachabilityFence(held);
    }

    @Test
    void samples_of_one_stack_share_it() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            held.add(world.allocate(new Session(), 3, 7, new Throwable()));
        }
        held.add(world.allocate(new Session(), 5, 8, new Throwable()));
        world.collect();
        List<LiveSample> samples = world.tracker.liveSamples(10);
        assertThat(samples.get(0).stack()).isNotEmpty().isSameAs(samples.get(1).stack());
        assertThat(samples.get(2).stack()).isNotEmpty().isNotEqualTo(samples.get(0).stack());
    }

    @Property(tries = 100)
    void only_the_living_oldest_first_and_spread_over_the_cohorts(@ForAll @Size(max = 60) List<@IntRange(max = 5) Integer> steps,
                                                                 @ForAll @IntRange(max = 40) int max) {
        World world = new World();
        List<Held> all = new ArrayList<>();
        for (int step : steps) {
            if (step == 0) {
                world.collect();
            } else if (step == 1 && !all.isEmpty()) {
                all.get(all.size() / 2).die();
            } else {
                all.add(world.allocate(new Session(), step));
            }
        }
        world.tracker.maintain(world.nanos);
        List<LiveSample> samples = world.tracker.liveSamples(max);
        assertThat(samples).hasSizeLessThanOrEqualTo(max).isSortedAccordingTo((one, other) -> Long.compare(one.allocationEpoch(), other.allocationEpoch()));
        assertThat(samples).extracting(LiveSample::sequence).doesNotHaveDuplicates();
        assertThat(samples).allSatisfy(sample -> assertThat(sample.object().refersTo(null)).isFalse());
        long alive = all.stream().filter(held -> !held.reference().refersTo(null)).count();
        if (max >= all.size()) {
            assertThat(samples).hasSize((int) alive);
        }
        if (alive == all.size() && alive > 0 && max > 1) {
            assertThat(samples).hasSize((int) Math.min(max, alive));
        }
    }

    @Test
    void a_stack_goes_with_the_last_that_names_it() {
        SharedStacks stacks = new SharedStacks();
        List<String> kept = List.of("a", "b");
        assertThat(stacks.share(kept)).isSameAs(kept);
        assertThat(stacks.share(List.of("a", "b"))).isSameAs(kept);
        for (int i = 1; i < SharedStacks.MAX_STACKS; i++) {
            assertThat(stacks.share(List.of("unnamed", "stack " + i))).isNotNull();
        }
        // Those were named by nobody: a collection makes room for others.
        long end = System.nanoTime() + 300_000_000_000L;
        while (stacks.size() > 1 && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(stacks.size()).isEqualTo(1);
        List<List<String>> named = new ArrayList<>(List.of(kept));
        for (int i = 1; i < SharedStacks.MAX_STACKS; i++) {
            named.add(stacks.share(List.of("named", "stack " + i)));
        }
        assertThat(stacks.share(List.of("one", "too many"))).isNull();
        assertThat(stacks.share(List.of("named", "stack 7"))).isSameAs(named.get(7));
        Reference.reachabilityFence(named);
    }

    @Test
    void samples_handed_out_keep_neither_object_nor_loader() throws Exception {
        World world = new World();
        List<LiveSample> samples = new ArrayList<>();
        WeakReference<ClassLoader> loader = samplesOfForeignClass(world, samples);
        assertThat(samples).hasSize(1);
        long end = System.nanoTime() + 300_000_000_000L;
        while (loader.get() != null && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(loader.get()).isNull();
        assertThat(samples.get(0).object().refersTo(null)).isTrue();
        assertThat(samples.get(0).type().get()).isNull();
        assertThat(samples.get(0).className()).isEqualTo(Session.class.getName());
    }

    private static WeakReference<ClassLoader> samplesOfForeignClass(World world, List<LiveSample> samples) throws Exception {
        byte[] code;
        try (java.io.InputStream in = Session.class.getResourceAsStream("World$Session.class")) {
            code = in.readAllBytes();
        }
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) {
                return defineClass(name, code, 0, code.length);
            }
        };
        java.lang.reflect.Constructor<?> constructor = Class.forName(Session.class.getName(), true, loader).getDeclaredConstructor();
        constructor.setAccessible(true);
        Held held = world.allocate(constructor.newInstance(), 3, 7, new Throwable());
        world.collect();
        samples.addAll(world.tracker.liveSamples(5));
        Reference.reachabilityFence(held);
        return new WeakReference<>(loader);
    }
}
