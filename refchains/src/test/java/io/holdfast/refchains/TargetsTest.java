package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.TrackedInstance;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TargetsTest {
    /** While a collector marks beside the program, each reading keeps alive what it returns. */
    private static final class Counting extends WeakReference<Object> {
        int readings;

        Counting(Object referent) {
            super(referent);
        }

        @Override
        public Object get() {
            readings++;
            return super.get();
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private final List<Counting> references = new ArrayList<>();

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
    }

    /** More nodes than a test makes passes; none of them leads nowhere, which would be walked by the way. */
    private static Node filler() {
        Node filler = new Node(0);
        for (int i = 0; i < 1_000; i++) {
            filler = new Node(i).first(filler);
        }
        return filler;
    }

    private LeakCandidate candidate(long id, int size) {
        List<TrackedInstance> tracked = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Node node = new Node(i);
            nodes.add(node);
            references.add(new Counting(node));
            tracked.add(new TrackedInstance(i, references.get(references.size() - 1), 0, 1, i, 1, false, i));
        }
        return new LeakCandidate(id, Node.class.getName(), new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH), tracked, List.of(),
                LiveEstimate.NONE);
    }

    @Test
    void whatIsSoughtAndNotReachedIsReadOnceInASearch() {
        Registry.active = filler();
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            List<LeakCandidate> candidates = List.of(candidate(1, 8));
            bench.search.watch(candidates);
            bench.start();
            for (int pass = 0; pass < 5; pass++) {
                bench.pass(SearchBench.budget(1));
                bench.search.watch(candidates);
            }
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            assertThat(bench.finish(SearchBench.UNLIMITED)).singleElement().extracting(SearchFinding::reached).isEqualTo(0);
            assertThat(references).extracting(reference -> reference.readings).containsOnly(1);
        }
    }

    @Test
    void whatComesTooLateIsReadOnceInASearch() {
        Registry.active = filler();
        List<String> texts = List.of(new String("sought"));
        Counting reference = new Counting(texts.get(0));
        LeakCandidate late = new LeakCandidate(2, "java.lang.String", new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH),
                List.of(new TrackedInstance(1, reference, 0, 1, 1, 1, false, 1)), List.of(), LiveEstimate.NONE);
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            List<LeakCandidate> candidates = List.of(candidate(1, 1), late);
            bench.search.watch(candidates.subList(0, 1));
            bench.start();
            for (int pass = 0; pass < 5; pass++) {
                bench.pass(SearchBench.budget(1));
                bench.search.watch(candidates);
            }
            assertThat(reference.readings).isEqualTo(1);
            bench.finish(SearchBench.UNLIMITED);
            assertThat(bench.search.watch(candidates)).as("the next search takes it").isEqualTo(2);
        }
    }

    @Test
    void eachIsFoundAmongMany() {
        Targets targets = new Targets();
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Slot slot = new Slot(candidate(1, 60), bench.reader);
            targets.add(slot);
            Slot same = new Slot(candidate(2, 3), bench.reader);
            targets.add(same);
            targets.begin();
            assertThat(targets.outstanding()).isEqualTo(63);
            for (int i = 0; i < nodes.size(); i++) {
                assertThat(targets.contains(nodes.get(i))).isTrue();
                targets.reached(nodes.get(i), i);
                assertThat(targets.contains(nodes.get(i))).as("reached").isFalse();
                assertThat(i < 60 ? slot.entries[i] : same.entries[i - 60]).isEqualTo(i);
            }
            assertThat(targets.contains(new Node(1))).isFalse();
            assertThat(targets.outstanding()).isZero();
        }
    }

    @Test
    void anotherObjectOfTheSameHashIsNotTakenForIt() {
        Map<Integer, Node> byHash = new HashMap<>();
        Node sought = new Node(0);
        Node other = null;
        // Of 31 bits: some sixty thousand objects until two are equal, on average.
        for (int i = 1; other == null; i++) {
            other = byHash.put(System.identityHashCode(sought), sought);
            if (other == null) {
                sought = new Node(i);
            }
        }
        Targets targets = new Targets();
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            targets.add(new Slot(SearchBench.candidate(1, List.of(sought)), bench.reader));
            targets.begin();
            assertThat(System.identityHashCode(other)).isEqualTo(System.identityHashCode(sought));
            assertThat(other).isNotSameAs(sought);
            assertThat(targets.contains(other)).isFalse();
            assertThat(targets.contains(sought)).isTrue();
        }
    }

    @Test
    void oneObjectMayBeSoughtTwice() {
        Targets targets = new Targets();
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Node node = new Node(1);
            for (long id = 1; id <= 2; id++) {
                targets.add(new Slot(SearchBench.candidate(id, List.of(node)), bench.reader));
            }
            targets.begin();
            targets.reached(node, 7);
            assertThat(targets.slots()).extracting(slot -> slot.entries[0]).containsExactly(7, 7);
        }
    }
}
