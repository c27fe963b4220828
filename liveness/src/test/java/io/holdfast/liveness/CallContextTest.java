package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveSample;
import io.holdfast.core.SiteSurvival;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Node;
import io.holdfast.liveness.World.Page;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Sites in the JDK, which everybody shares. */
class CallContextTest {
    private static final int SITE = 3;

    private final World world = new World();
    private final List<Held> leaked = new ArrayList<>();

    CallContextTest() {
        world.sites.sites.set(SITE, new AllocationSite("java.util.HashMap", "newNode", "HashMap.java", 1901, "java.util.HashMap$Node"));
    }

    @Property(tries = 20)
    void a_registry_among_many_users_of_a_site_is_suspected_and_they_are_not(@ForAll @IntRange(min = 1, max = 100) int healthyPerLeaked) {
        CallContextTest fresh = new CallContextTest();
        fresh.run(healthyPerLeaked, true);
        List<LeakCandidate> candidates = fresh.world.candidates();
        assertThat(candidates).hasSize(1);
        assertThat(candidates.get(0).instances()).as("of the registry only").hasSize(fresh.leaked.size());
        assertThat(candidates.get(0).allocation()).singleElement().satisfies(allocation -> {
            assertThat(allocation.site()).isEqualTo("java.util.HashMap.newNode(HashMap.java:1901)");
            assertThat(allocation.stack()).contains("com.acme.Registry.add(Registry.java:7)");
        });
    }

    @Test
    void without_stacks_the_many_hide_the_one() {
        run(10, false);
        assertThat(world.candidates()).isEmpty();
    }

    @Test
    void a_site_tells_how_many_share_it() {
        run(10, true);
        assertThat(world.tracker.survival()).extracting(SiteSurvival::contexts).containsExactly(2);
    }

    @Test
    void contexts_are_bounded_and_what_is_beyond_is_taken_together() {
        for (int user = 0; user < 100; user++) {
            leaked.add(world.allocate(new Node(), SITE, 7, stack("com.acme.User" + user, user)));
        }
        world.secondPasses();
        assertThat(world.tracker.survival()).extracting(SiteSurvival::contexts).containsExactly(SiteHistory.MAX_CONTEXTS);
        assertThat(world.tracker.status().rows()).isEqualTo(100);
    }

    @Test
    void callers_at_start_up_do_not_keep_the_places_of_a_registry_that_leaks_later() {
        startUp(100);
        for (int epoch = 0; epoch < 100; epoch++) {
            world.collect();
        }
        leakAmongTenHealthy();
    }

    @Test
    void places_that_are_used_up_are_free_again_soon() {
        startUp(100);
        for (int epoch = 0; epoch < 12; epoch++) {
            world.collect();
        }
        leakAmongTenHealthy();
    }

    @Test
    void contexts_of_which_nothing_lives_give_their_memory_back() {
        world.collect();
        long before = world.tracker.status().bytesHeld();
        startUp(30);
        assertThat(world.tracker.status().bytesHeld() - before).as("30 rings of 32 cohorts at the least").isGreaterThan(30 * 32 * 12);
        for (int epoch = 0; epoch < 100; epoch++) {
            world.collect();
        }
        assertThat(world.tracker.status().bytesHeld()).isEqualTo(before);
        assertThat(world.tracker.survival()).extracting(SiteSurvival::contexts).as("was shared, and is").containsExactly(30);
    }

    @Test
    void contexts_whose_objects_were_dead_at_once_are_forgotten_too() {
        world.collect();
        long before = world.tracker.status().bytesHeld();
        for (int user = 0; user < 20; user++) {
            world.allocate(new Node(), SITE, 7, stack("com.acme.User" + user, user)).die();
        }
        world.collect();
        assertThat(world.tracker.status().bytesHeld()).isGreaterThan(before);
        for (int epoch = 0; epoch < 20; epoch++) {
            world.collect();
        }
        assertThat(world.tracker.status().bytesHeld()).isEqualTo(before);
    }

    @Test
    void a_context_with_living_objects_is_never_forgotten() {
        leaked.add(world.allocate(new Node(), SITE, 7, stack("com.acme.Registry", 7)));
        for (int epoch = 0; epoch < 200; epoch++) {
            world.collect();
        }
        assertThat(world.tracker.liveSamples(10)).singleElement()
                .satisfies(sample -> assertThat(sample.stack()).contains("com.acme.Registry.add(Registry.java:7)"));
        SiteHistory site = new SiteHistory(SITE, null, true, 0, 0);
        CallContext context = site.context(stack("com.acme.Registry", 7), 1);
        SiteClass origin = site.of(new TrackedClass(1, "Node"), context);
        origin.rows = 1;
        site.resetTally(500);
        assertThat(site.context(stack("com.acme.Registry", 7), 500)).isSameAs(context);
        origin.rows = 0;
        site.resetTally(600);
        assertThat(site.context(stack("com.acme.Registry", 7), 600)).isNotSameAs(context);
    }

    /** Callers of which nothing remains after the next collection. */
    private void startUp(int callers) {
        List<Held> boot = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            boot.add(world.allocate(new Node(), SITE, 7, stack("com.acme.Boot" + caller, caller)));
        }
        world.tracker.maintain(world.nanos);
        boot.forEach(Held::die);
        world.collect();
    }

    private void leakAmongTenHealthy() {
        for (int epoch = 0; epoch < 6; epoch++) {
            List<Held> healthy = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                leaked.add(world.allocate(new Node(), SITE, 7, stack("com.acme.Registry", 7)));
                for (int cache = 0; cache < 10; cache++) {
                    healthy.add(world.allocate(new Node(), SITE, 7, stack("com.acme.Cache" + cache, 9)));
                }
            }
            world.tracker.maintain(world.nanos);
            healthy.forEach(Held::die);
            world.collect();
        }
        assertThat(world.candidates()).singleElement().satisfies(candidate -> {
            assertThat(candidate.instances()).as("of the registry only").hasSize(leaked.size());
            assertThat(candidate.allocation()).singleElement()
                    .satisfies(allocation -> assertThat(allocation.stack()).contains("com.acme.Registry.add(Registry.java:7)"));
        });
    }

    @Test
    void stacks_of_contexts_are_decoded_once_something_survives_and_share_one_bound() {
        int sites = SharedStacks.MAX_STACKS / SiteHistory.MAX_CONTEXTS + 4;
        for (int site = 0; site < sites; site++) {
            world.sites.sites.set(site, new AllocationSite("java.util.HashMap", "newNode", "HashMap.java", site, "java.util.HashMap$Node"));
        }
        for (int site = 0; site < sites; site++) {
            for (int user = 0; user < SiteHistory.MAX_CONTEXTS; user++) {
                leaked.add(world.allocate(new Node(), site, 7, stack("com.acme.User" + site + "x" + user, user)));
            }
            world.collect();
        }
        long withStack = world.tracker.liveSamples(10_000).stream().map(LiveSample::stack).filter(stack -> !stack.isEmpty()).distinct().count();
        assertThat(withStack).isEqualTo(SharedStacks.MAX_STACKS);
        assertThat(world.counters.snapshot()).containsEntry(LivenessTracker.STACKS_UNSHARED, (long) 4 * SiteHistory.MAX_CONTEXTS);
        leakPagesWithoutRoomForAStack(sites);
    }

    private void leakPagesWithoutRoomForAStack(int site) {
        world.sites.sites.set(site, new AllocationSite("java.util.HashMap", "newNode", "HashMap.java", site, "java.util.HashMap$Node"));
        for (int epoch = 0; epoch < 4; epoch++) {
            for (int i = 0; i < 3; i++) {
                leaked.add(world.allocate(new Page(), site, 7, stack("com.acme.Registry", 7)));
            }
            world.collect();
        }
        assertThat(world.candidates()).filteredOn(candidate -> candidate.className().endsWith("Page")).singleElement()
                .satisfies(candidate -> assertThat(candidate.allocation()).singleElement().satisfies(allocation ->
                        assertThat(allocation.stack()).as("the caller at least").containsExactly("com.acme.Registry.add(Registry.java:7)")));
    }

    @Test
    void a_site_of_the_program_has_one_context() {
        for (int user = 0; user < 10; user++) {
            leaked.add(world.allocate(new Node(), SITE + 1, 7, stack("com.acme.User" + user, user)));
        }
        world.secondPasses();
        assertThat(world.tracker.survival()).extracting(SiteSurvival::contexts).containsExactly(1);
        assertThat(world.tracker.status().undecodedStacks()).as("decoded when they survive").isEqualTo(10);
    }

    @Test
    void no_undecoded_stack_is_kept_where_the_context_was_told() {
        run(1, true);
        assertThat(world.tracker.status().undecodedStacks()).isZero();
    }

    /** Half of the healthy are dead before their sample is looked at. */
    private void run(int healthyPerLeaked, boolean stacks) {
        for (int epoch = 0; epoch < 4; epoch++) {
            List<Held> healthy = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                leaked.add(world.allocate(new Node(), SITE, 7, stacks ? stack("com.acme.Registry", 7) : null));
                for (int n = 0; n < healthyPerLeaked; n++) {
                    healthy.add(world.allocate(new Node(), SITE, 7, stacks ? stack("com.acme.Cache", 9) : null));
                }
            }
            healthy.subList(0, healthy.size() / 2).forEach(Held::die);
            world.tracker.maintain(world.nanos);
            healthy.forEach(Held::die);
            world.collect();
        }
    }

    private static Throwable stack(String user, int line) {
        Throwable stack = new Throwable();
        stack.setStackTrace(new StackTraceElement[] {new StackTraceElement("java.util.HashMap", "newNode", "HashMap.java", 1901),
            new StackTraceElement("java.util.HashMap", "put", "HashMap.java", 610),
            new StackTraceElement(user, "add", user.substring(user.lastIndexOf('.') + 1) + ".java", line),
            new StackTraceElement("com.acme.Main", "main", "Main.java", 1)});
        return stack;
    }
}
