package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Lease;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is sampled here: walks alone see what grows. */
class GrowthSurveyTest {
    private static final long LOOKS_APART_NANOS = 5_000_000_000L;

    private final SearchBench bench = SearchBench.surveying(FixedRoots.of(Registry.class));

    @AfterEach
    void end() {
        Registry.active = null;
        Registry.other = null;
        bench.close();
    }

    private void survey() {
        bench.nanos += LOOKS_APART_NANOS;
        bench.start();
        while (bench.search.state() == SearchState.RUNNING) {
            bench.pass(SearchBench.UNLIMITED);
        }
        bench.search.release();
    }

    private List<LeakCandidate> candidates() {
        return bench.survey.candidates(5, bench.nanos);
    }

    @Test
    void manyContainersDoNotLeaveTheClassesWithoutAPlace() {
        List<Object> lists = new ArrayList<>();
        for (int i = 0; i <= PopulationSizes.MAX_POPULATIONS; i++) {
            lists.add(new ArrayList<>(Collections.nCopies(PopulationSizes.MIN_SIZE, "")));
        }
        Registry.active = lists;
        survey();
        assertThat(bench.counters.get(GrowthSurvey.DROPPED)).as("lists without a place").isPositive();
        Node head = new Node(0);
        Registry.other = head;
        growAndSurvey(() -> {
            for (int i = 0; i < 100; i++) {
                Node node = new Node(i).first(head.first);
                head.first = node;
            }
        });
        assertThat(candidates()).extracting(LeakCandidate::className).contains(Node.class.getName());
    }

    /** Else a slice of five milliseconds would count two hundred of them. */
    @Test
    void theClockIsLookedAtAfterEachWideArrayThatIsCounted() {
        Object[] wide = new Object[100];
        Arrays.setAll(wide, i -> new Object[10_000]);
        Registry.active = wide;
        bench.clockStep = 1_000;
        bench.start();
        long before = bench.nanos;
        bench.pass(new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 20_000, true, false));
        assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
        assertThat(bench.search.summary().visited()).as("after %d ns", bench.nanos - before).isLessThan(60);
    }

    private void growAndSurvey(Runnable more) {
        for (int i = 0; i < 3; i++) {
            more.run();
            survey();
        }
    }

    private static void add(Object container, int count) {
        for (int i = 0; i < count; i++) {
            if (container instanceof Collection<?>) {
                @SuppressWarnings("unchecked")
                Collection<Object> collection = (Collection<Object>) container;
                collection.add(new Session(i));
            } else {
                @SuppressWarnings("unchecked")
                Map<Object, Object> map = (Map<Object, Object>) container;
                map.put(new Node(i), new Session(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ArrayList.class, LinkedList.class, LinkedBlockingQueue.class, HashMap.class, ConcurrentHashMap.class})
    void aContainerThatGrowsIsFoundWithItsChain(Class<?> type) throws ReflectiveOperationException {
        Object container = type.getDeclaredConstructor().newInstance();
        Registry.active = new Node(1).first(container);
        growAndSurvey(() -> add(container, 100));

        // Beside it the class of its nodes may be suspected, of which there are more by a few.
        LeakCandidate candidate = candidates().stream().filter(one -> one.live().estimatedInstances() == 300).findFirst().orElseThrow();
        assertThat(candidate.trend().evidence()).isEqualTo(CandidateTrend.Evidence.GROWTH);
        assertThat(candidate.trend().growth()).as("100 elements in 5 s").isEqualTo(72_000);
        assertThat(candidate.id()).isNegative();
        assertThat(candidate.instances()).hasSize(GrowthSuspects.MAX_INSTANCES);

        bench.search.watch(List.of(candidate));
        survey();
        SearchFinding finding = bench.search.takeFindings().get(0);
        assertThat(finding.reached()).isEqualTo(GrowthSuspects.MAX_INSTANCES);
        assertThat(finding.accumulation().holder()).isEqualTo(Node.class.getName() + "#first");
        assertThat(finding.accumulation().ownerClass()).isEqualTo(Session.class.getName());
        assertThat(finding.accumulation().containerClass()).isEqualTo(type.getName());
        assertThat(finding.accumulation().probe().elements()).isEqualTo(300);
    }

    /** A queue of linked arrays: each array is full, and its elements lead nowhere. */
    @Test
    void elementsThatLeadNowhereInArraysThatHangOnEachOther() {
        Node head = new Node(0);
        Registry.active = head;
        growAndSurvey(() -> {
            for (int chunk = 0; chunk < 5; chunk++) {
                Object[] elements = new Object[20];
                Arrays.setAll(elements, i -> new Lease(i, "lease " + i));
                Node before = new Node(0);
                before.first = head.first;
                before.second = head.second;
                head.first = elements;
                head.second = before;
            }
        });
        LeakCandidate candidate = candidates().stream().filter(one -> one.className().equals(Lease.class.getName())).findFirst().orElseThrow();
        assertThat(candidate.live().estimatedInstances()).isEqualTo(300);
        assertThat(candidate.instances()).hasSize(GrowthSuspects.MAX_INSTANCES);

        bench.search.watch(List.of(candidate));
        survey();
        SearchFinding finding = bench.search.takeFindings().get(0);
        assertThat(finding.reached()).isEqualTo(GrowthSuspects.MAX_INSTANCES);
        assertThat(finding.accumulation().probe().elements()).isEqualTo(300);
    }

    /** Seeking some of them takes none out of the count, or the suspect would be dropped for having become fewer. */
    @Test
    void aSuspectThatLeadsNowhereStaysOneWhileItIsSought() {
        Node head = new Node(0);
        Registry.active = head;
        int[] each = {100};
        Runnable more = () -> {
            for (int i = 0; i < each[0]; i++) {
                Node before = new Node(0).first(head.first).second(head.second);
                head.first = new AtomicLong(i);
                head.second = before;
            }
        };
        growAndSurvey(more);
        each[0] = 10; // fewer than are sought
        for (int i = 0; i < 3; i++) {
            LeakCandidate candidate = candidates().stream().filter(one -> one.className().equals(AtomicLong.class.getName())).findFirst().orElseThrow();
            bench.search.watch(List.of(candidate));
            more.run();
            survey();
            assertThat(bench.search.takeFindings()).singleElement().satisfies(finding -> assertThat(finding.reached()).isEqualTo(finding.sought()));
        }
    }

    /** They are met in a collection too, but that counts them itself. */
    @ParameterizedTest
    @ValueSource(classes = {ArrayList.class, LinkedList.class, HashMap.class, ConcurrentHashMap.class})
    void whatLiesInACollectionIsNotCountedByItsClassAsWell(Class<?> type) throws ReflectiveOperationException {
        Object container = type.getDeclaredConstructor().newInstance();
        Registry.active = new Node(1).first(container);
        int[] next = {0};
        growAndSurvey(() -> {
            for (int i = 0; i < 100; i++, next[0]++) {
                if (container instanceof Collection<?>) {
                    @SuppressWarnings("unchecked")
                    Collection<Object> collection = (Collection<Object>) container;
                    collection.add(new Lease(i, "listed"));
                } else {
                    @SuppressWarnings("unchecked")
                    Map<Object, Object> map = (Map<Object, Object>) container;
                    map.put(next[0], new Lease(i, "mapped"));
                }
            }
        });
        assertThat(candidates()).extracting(one -> one.live().estimatedInstances()).as("the container's own count").contains(300L);
        assertThat(candidates().stream().filter(one -> one.className().equals(Lease.class.getName()))).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void oneObjectThatMoreAndMoreReferToDoesNotGrow() {
        Lease shared = new Lease(1, "shared");
        List<Object> holders = new LinkedList<>();
        Registry.active = new Node(1).first(holders);
        growAndSurvey(() -> {
            for (int i = 0; i < 100; i++) {
                holders.add(new Object[] {shared, new ArrayList<>()});
            }
        });
        assertThat(candidates()).isNotEmpty().extracting(LeakCandidate::className).doesNotContain(Lease.class.getName());
    }

    /** What a search reads again must not count again, or every search that looks twice would see more than the one before. */
    @Test
    void whatLeadsNowhereIsCountedOnceASearch() {
        Object[] leases = new Object[100];
        Arrays.setAll(leases, i -> new Lease(i, "lease " + i));
        Registry.active = new Node(1).first(leases);
        growAndSurvey(() -> { });
        Session unreachable = new Session(1);
        growAndSurvey(() -> bench.search.watch(List.of(SearchBench.candidate(9, List.of(unreachable)))));
        growAndSurvey(() -> bench.search.watch(List.of(SearchBench.candidate(9, List.of(unreachable)))));
        assertThat(candidates()).isEmpty();
    }

    @Test
    void anArrayThatNoCollectionOwnsIsAContainer() {
        Object[] table = new Object[1_000];
        Registry.active = new Node(1).first(table);
        int[] used = {0};
        growAndSurvey(() -> Arrays.fill(table, used[0], used[0] += 100, new Node(used[0]).first(new ArrayList<>())));
        assertThat(candidates()).singleElement().satisfies(candidate -> assertThat(candidate.className()).isEqualTo(Node.class.getName()));
    }

    /** No container tells: the class has ever more objects. */
    @Test
    void nodesThatHangOnEachOtherAreFoundByTheirNumber() {
        Registry.active = new Node(0);
        growAndSurvey(() -> {
            for (int i = 0; i < 100; i++) {
                Registry.active = new Node(i).first(Registry.active).second(new ArrayList<>());
            }
        });
        survey();
        assertThat(candidates()).anySatisfy(candidate -> {
            assertThat(candidate.className()).isEqualTo(Node.class.getName());
            assertThat(candidate.instances()).hasSize(GrowthSuspects.MAX_INSTANCES);
            assertThat(candidate.trend().growth()).isEqualTo(48_000); // 200 in 15 s
        });
    }

    @Test
    void whatLeaksComesBeforeTheNodesOfTheJdkThatHoldIt() {
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
        Registry.active = queue;
        growAndSurvey(() -> {
            for (int i = 0; i < 300; i++) {
                queue.add(new Node(i).first(new ArrayList<>()));
                if (i % 3 == 0) {
                    queue.add("more nodes than what leaks");
                }
            }
        });
        assertThat(bench.survey.candidates(5, bench.nanos)).hasSizeGreaterThan(1);
        assertThat(bench.survey.candidates(1, bench.nanos)).singleElement()
                .satisfies(candidate -> assertThat(candidate.className()).isEqualTo(Node.class.getName()));
    }

    @Test
    void manyListsThatEachGrowALittleAreFoundByWhatIsInThem() {
        List<List<Object>> lists = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            lists.add(new ArrayList<>());
        }
        Registry.active = new Node(1).first(lists);
        growAndSurvey(() -> lists.forEach(list -> list.add(new Node(1).first(new ArrayList<>()))));
        survey();
        assertThat(candidates()).anySatisfy(candidate -> assertThat(candidate.className()).isEqualTo(Node.class.getName()));
    }

    /** A search ends when it has found what it seeks. That each comes further than the one before does not mean that there is more. */
    @Test
    void aSearchThatDoesNotComeEverywhereSaysNothingAboutClasses() {
        Node near = new Node(-1);
        Object[] others = new Object[2_000];
        Arrays.setAll(others, i -> new Node(i).first(new ArrayList<>()));
        Registry.active = new Object[] {near, others};
        for (int search = 1; search <= 5; search++) {
            bench.nanos += LOOKS_APART_NANOS;
            bench.seek(List.of(near)).start();
            while (bench.search.state() == SearchState.RUNNING) {
                bench.pass(SearchBench.budget(200 * search));
            }
            bench.search.release();
            assertThat(candidates()).isEmpty();
        }
    }

    @Test
    void theArrayOfAListIsNotAContainerOfItsOwn() {
        List<Object> list = new ArrayList<>(1_000);
        Registry.active = list;
        growAndSurvey(() -> add(list, 100));
        assertThat(candidates()).hasSize(1);
    }

    @Test
    void oneThatIsEmptiedIsNoCandidateAnyMore() {
        List<Object> list = new ArrayList<>();
        Registry.active = list;
        growAndSurvey(() -> add(list, 100));
        assertThat(candidates()).hasSize(1);
        list.clear();
        survey();
        assertThat(candidates()).isEmpty();
    }

    @Test
    void whatIsExplainedRestsAndThenComesBackWithOldAndNewElements() {
        List<Object> list = new ArrayList<>();
        Registry.active = list;
        growAndSurvey(() -> add(list, 100));
        LeakCandidate first = candidates().get(0);
        bench.survey.explained(first.id());
        assertThat(candidates()).isEmpty();
        assertThat(bench.survey.any(bench.nanos)).isFalse();
        bench.epochs.advance(true);
        for (long rested = 0; rested < GrowthSuspects.REST_IF_EXPLAINED_NANOS; rested += LOOKS_APART_NANOS) {
            add(list, 50);
            survey();
        }
        LeakCandidate again = candidates().get(0);
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(again.instances().stream().map(instance -> instance.allocationEpoch()).distinct()).hasSize(2);
        assertThat(again.instances()).filteredOn(first.instances()::contains).hasSize(GrowthSuspects.MAX_INSTANCES / 2);
    }

    @Test
    void onlySoManyContainersAreCandidatesThoseThatGainMost() {
        List<List<Object>> lists = new ArrayList<>();
        for (int i = 0; i < 3 * GrowthSuspects.MAX_SUSPECTS; i++) {
            lists.add(new ArrayList<>());
        }
        Registry.active = lists.toArray();
        growAndSurvey(() -> {
            for (int i = 0; i < lists.size(); i++) {
                add(lists.get(i), 50 + i);
            }
        });
        assertThat(bench.survey.candidates(1_000, bench.nanos)).hasSize(GrowthSuspects.MAX_SUSPECTS)
                .isSortedAccordingTo((a, b) -> Double.compare(b.trend().growth(), a.trend().growth()));
        assertThat(candidates()).hasSize(5);
        assertThat(candidates().get(0).trend().growth()).isEqualTo((50 + lists.size() - 1) * 720.0);
    }

    @Test
    void nothingIsKeptAlive() {
        Registry.active = new ArrayList<>();
        growAndSurvey(() -> add(Registry.active, 100));
        assertThat(candidates()).hasSize(1);
        WeakReference<Object> element = new WeakReference<>(((List<?>) Registry.active).get(0));
        WeakReference<Object> container = new WeakReference<>(Registry.active);
        Registry.active = null;
        long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        while (element.get() != null || container.get() != null) {
            assertThat(System.nanoTime()).as("collected in time").isLessThan(end);
            System.gc();
        }
    }

    @Test
    void aSearchForCandidatesCountsAsALook() {
        List<Object> list = new ArrayList<>();
        Session sought = new Session(-1);
        Registry.active = new Node(1).first(list).second(sought);
        growAndSurvey(() -> {
            add(list, 100);
            bench.seek(List.of(sought));
        });
        assertThat(candidates()).hasSize(1);
    }

    @Test
    void aCandidateThatComesDuringASurveyDoesNotWaitForItsEnd() {
        Session sought = new Session(-1);
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            list.add(new Node(i).first(new ArrayList<>()));
        }
        Registry.active = new Node(1).first(sought).second(list);
        bench.start().pass(SearchBench.budget(200));
        bench.pass(SearchBench.budget(200));
        assertThat(bench.search.summary().passes()).isEqualTo(2);
        bench.seek(List.of(sought));
        assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
        assertThat(bench.search.summary().passes()).isZero();
        assertThat(bench.finish(SearchBench.budget(200))).singleElement().satisfies(finding -> assertThat(finding.reached()).isEqualTo(1));
    }

    @Test
    void afterAnEndNothingIsKnown() {
        List<Object> list = new ArrayList<>();
        Registry.active = list;
        growAndSurvey(() -> add(list, 100));
        bench.search.clear();
        assertThat(candidates()).isEmpty();
    }
}
