package io.holdfast.liveness;

import static io.holdfast.liveness.World.TREND_ONLY;
import static io.holdfast.liveness.World.leak;
import static io.holdfast.liveness.World.suspectedByCohorts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.LeakCandidate;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Node;
import io.holdfast.liveness.World.Order;
import io.holdfast.liveness.World.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Section 8 of the specification: who becomes a candidate, and who gets a place. */
class CandidateSelectionTest {
    @Test
    void the_documented_trend_needs_fourteen_folds() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        for (int fold = 1; fold <= 13; fold++) {
            leak(world, held, 2);
            world.collect();
            assertThat(world.tracker.hasCandidate()).as("after fold %s", fold).isFalse();
        }
        leak(world, held, 2);
        world.collect();
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.trend().evidence()).isEqualTo(Evidence.TREND);
        assertThat(candidate.trend().growth()).isCloseTo(13.0, within(1e-9));
        assertThat(candidate.trend().folds()).isEqualTo(14);
        assertThat(world.tracker.status().watchedThreads()).isEqualTo(0);
        world.secondPasses();
        assertThat(world.tracker.status().watchedThreads()).isEqualTo(1);
    }

    @Test
    void the_documented_trend_needs_twelve_folds_when_the_heap_floor_rises() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        for (int fold = 1; fold <= 12; fold++) {
            assertThat(world.tracker.hasCandidate()).as("before fold %s", fold).isFalse();
            world.tracker.recordUsage(world.nanos, (100L + 50 * fold) << 20);
            leak(world, held, 2);
            world.collect();
        }
        assertThat(world.tracker.status().heapFloorRising()).isTrue();
        assertThat(world.tracker.hasCandidate()).isTrue();
    }

    @Test
    void bounded_caches_never_qualify_for_the_trend() {
        World world = new World(TREND_ONLY);
        Deque<Held> firstInFirstOut = new ArrayDeque<>();
        List<Held> sawTooth = new ArrayList<>();
        List<Held> filledOnce = new ArrayList<>();
        // The ages of a cache spread until it is full, which looks like growth. Nothing may be suspected once that has left the ring.
        for (int fold = 1; fold <= 90; fold++) {
            firstInFirstOut.add(world.allocate(new Session(), 1));
            if (firstInFirstOut.size() > 8) {
                firstInFirstOut.remove().die();
            }
            sawTooth.add(world.allocate(new Order(), 2));
            if (fold % 4 == 0) {
                sawTooth.forEach(Held::die);
                sawTooth.clear();
            }
            if (fold <= 6) {
                filledOnce.add(world.allocate(new Node(), 3));
            }
            world.collect();
            assertThat(world.candidateClasses()).as("after fold %s", fold).doesNotContain(Order.class.getName());
            if (fold > 8 + ClassHistory.KLASS_POPULATION_RING_SIZE) {
                assertThat(world.tracker.hasCandidate()).as("after fold %s", fold).isFalse();
            }
        }
    }

    @Test
    void candidates_come_by_growth_and_at_most_five() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        List<Supplier<Object>> makers = List.of(Session::new, Order::new, Node::new, World.Buffer::new, World.Page::new, World.Ticket::new,
                World.Visit::new);
        for (int fold = 0; fold < 30; fold++) {
            for (int maker = 0; maker < makers.size(); maker++) {
                // The later a class stands in the list, the more of its epochs leave a survivor.
                if (fold % 14 < 2 * (maker + 1)) {
                    held.add(world.allocate(makers.get(maker).get(), maker));
                }
            }
            world.collect();
        }
        List<LeakCandidate> candidates = world.candidates();
        assertThat(candidates).hasSize(5);
        assertThat(candidates).extracting(candidate -> candidate.trend().growth()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(candidates.get(0).className()).isEqualTo(World.Visit.class.getName());
        assertThat(world.tracker.selectCandidates(2)).extracting(LeakCandidate::id)
                .containsExactly(candidates.get(0).id(), candidates.get(1).id());
        assertThat(world.tracker.selectCandidates(0)).isEmpty();
    }

    @Test
    void several_sites_of_a_class_are_one_candidate_and_it_keeps_its_number() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            for (int i = 0; i < 4; i++) {
                held.add(world.allocate(new Session(), 1, 10));
                held.add(world.allocate(new Session(), 2, 20));
            }
            held.add(world.allocate(new Session(), 2, 30));
            world.collect();
        }
        List<LeakCandidate> candidates = world.candidates();
        assertThat(candidates).hasSize(1);
        assertThat(candidates.get(0).allocation()).extracting(AllocationEvidence::site)
                .containsExactly("com.acme.Login.login(Login.java:42)", "com.acme.Login.login(Login.java:41)");
        assertThat(candidates.get(0).allocation().get(0).threads()).containsExactly("http-20", "http-30");
        assertThat(candidates.get(0).allocation().get(0).tracked()).isEqualTo(15);
        long id = candidates.get(0).id();
        for (int fold = 0; fold < 20; fold++) {
            held.add(world.allocate(new Session(), 1, 10));
            world.collect();
            assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
        }
        assertThat(world.candidates().get(0).trend().evidence()).isEqualTo(Evidence.TREND);
    }

    @Test
    void a_muted_candidate_gives_up_its_place_for_eight_epochs() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long id = suspectedByCohorts(world, held);
        world.tracker.mute(id, Long.MAX_VALUE);
        for (int epoch = 0; epoch < 7; epoch++) {
            world.collect();
            assertThat(world.candidates()).isEmpty();
            assertThat(world.tracker.hasCandidate()).isFalse();
            assertThat(world.tracker.known()).extracting(LeakCandidate::id).containsExactly(id);
        }
        world.collect();
        assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
    }

    @Test
    void a_disproving_collection_ends_the_mute_early() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long id = suspectedByCohorts(world, held);
        world.tracker.mute(id, world.epochs.disprovingCollections() + 1);
        world.collect();
        assertThat(world.candidates()).isEmpty();
        world.disprove();
        assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
    }

    @Test
    void an_explained_candidate_rests_and_then_comes_behind_the_others() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long explained = suspectedByCohorts(world, held);
        world.tracker.explained(explained);
        assertThat(world.candidates()).isEmpty();
        assertThat(world.tracker.known()).extracting(LeakCandidate::id).containsExactly(explained);
        for (int epoch = 0; epoch < 29; epoch++) {
            held.add(world.allocate(new Session(), 3));
            world.collect();
            assertThat(world.candidates()).isEmpty();
        }
        for (int i = 0; i < 3; i++) {
            held.add(world.allocate(new Node(), 5));
            held.add(world.allocate(new Node(), 5));
            world.collect();
        }
        assertThat(world.candidateClasses()).containsExactly(Node.class.getName(), Session.class.getName());
    }

    @Test
    void candidates_without_a_verdict_take_turns() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        List<Supplier<Object>> makers = List.of(Session::new, Order::new, Node::new, World.Buffer::new, World.Page::new, World.Ticket::new,
                World.Visit::new);
        java.util.Set<String> seen = new java.util.HashSet<>();
        for (int epoch = 0; epoch < 40; epoch++) {
            for (int maker = 0; maker < makers.size(); maker++) {
                held.add(world.allocate(makers.get(maker).get(), maker));
                held.add(world.allocate(makers.get(maker).get(), maker));
            }
            world.collect();
            seen.addAll(world.candidateClasses());
        }
        assertThat(seen).hasSize(7);
    }
}
