package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SiteSurvival;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Node;
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
