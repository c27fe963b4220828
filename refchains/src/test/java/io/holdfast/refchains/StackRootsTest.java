package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.EdgeKind;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.StackLocal;
import io.holdfast.core.StackLocals;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the walk makes of locals that threads have told about. */
class StackRootsTest {
    private static final FixedRoots REGISTRY = FixedRoots.of(Registry.class);

    private final Told told = new Told();

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
    }

    /** Locals that the test names. */
    private static final class Told implements StackLocals {
        final List<StackLocal> locals = new ArrayList<>();
        final List<Set<Long>> wanted = new ArrayList<>();
        int unsettled;
        int asked;

        @Override
        public void want(Set<Long> threadIds) {
            wanted.add(Set.copyOf(threadIds));
        }

        @Override
        public boolean settled() {
            return unsettled-- <= 0;
        }

        @Override
        public List<StackLocal> confirmed() {
            asked++;
            return List.copyOf(locals);
        }
    }

    private static final class Local implements StackLocal {
        private final Object object;
        private final String variable;
        boolean current = true;

        Local(Object object, String variable) {
            this.object = object;
            this.variable = variable;
        }

        @Override
        public Object object() {
            return object;
        }

        @Override
        public boolean current() {
            return current;
        }

        @Override
        public String className() {
            return "com.acme.Main";
        }

        @Override
        public String methodName() {
            return "run";
        }

        @Override
        public String frame() {
            return "com.acme.Main.run(Main.java:12)";
        }

        @Override
        public String variable() {
            return variable;
        }

        @Override
        public String threadName() {
            return "main";
        }
    }

    private SearchBench bench() {
        return new SearchBench(REGISTRY, SearchSettings.defaults(0), told);
    }

    @Test
    void aListThatOnlyALocalHoldsIsExplainedByIt() {
        List<Session> leak = SearchExamplesTest.sessions(40);
        told.locals.add(new Local(leak, "leak"));
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(leak);
            assertThat(finding.reached()).isEqualTo(40);
            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.root().kind()).isEqualTo(RootKind.STACK_LOCAL);
            assertThat(chain.root().label()).isEqualTo("local 'leak' of com.acme.Main.run(Main.java:12) on thread \"main\"");
            assertThat(chain.root().thread()).isEqualTo("main");
            assertThat(chain.edges().get(0).kind()).isEqualTo(EdgeKind.STACK_LOCAL);
            assertThat(chain.edges().get(0).local()).isEqualTo("leak");
            assertThat(chain.edges().get(0).target()).isEqualTo("java.util.ArrayList");
            assertThat(finding.accumulation().holder()).isEqualTo("com.acme.Main#run(leak)");
            assertThat(finding.accumulation().ownerClass()).isEqualTo(Session.class.getName());
            assertThat(finding.accumulation().probe().elements()).isEqualTo(40);
            leak.add(new Session(41));
            assertThat(finding.accumulation().probe().elements()).isEqualTo(41);
        }
    }

    @Test
    void aVariableWithoutANameIsStillARoot() {
        List<Session> leak = SearchExamplesTest.sessions(10);
        told.locals.add(new Local(leak, null));
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(leak);
            assertThat(finding.chains().get(0).root().label()).isEqualTo("local of com.acme.Main.run(Main.java:12) on thread \"main\"");
            assertThat(finding.accumulation().holder()).isEqualTo("com.acme.Main#run()");
        }
    }

    @Test
    void aDurableRootIsPreferredEvenWhenItIsFarAway() {
        List<Session> leak = SearchExamplesTest.sessions(10);
        told.locals.add(new Local(leak, "leak"));
        Registry.active = new Node(1).first(new Node(2).first(new Node(3).first(leak)));
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(leak);
            assertThat(finding.reached()).isEqualTo(10);
            assertThat(finding.chains()).extracting(chain -> chain.root().kind()).containsOnly(RootKind.STATIC_FIELD);
        }
    }

    @Test
    void theOutermostFrameNamesTheRoot() {
        List<Session> leak = SearchExamplesTest.sessions(10);
        told.locals.add(new Local(leak, "outermost"));
        told.locals.add(new Local(leak, "argument"));
        try (SearchBench bench = bench()) {
            assertThat(bench.find(leak).chains().get(0).edges().get(0).local()).isEqualTo("outermost");
        }
    }

    @Test
    void aFrameThatMayHaveEndedIsNoRoot() {
        List<Session> leak = SearchExamplesTest.sessions(10);
        Local local = new Local(leak, "leak");
        local.current = false;
        told.locals.add(local);
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(leak);
            assertThat(finding.outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(finding.chains()).isEmpty();
            assertThat(bench.counters.get(ChainTracer.REJECTED)).isEqualTo(10);
        }
    }

    @Test
    void aLocalThatIsOrDirectlyRefersToTheInstanceIsSuppressed() {
        List<Session> held = SearchExamplesTest.sessions(2);
        told.locals.add(new Local(held.get(0), "session"));
        told.locals.add(new Local(new Node(1).first(held.get(1)), "node"));
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(held);
            assertThat(finding.outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(bench.counters.get(ChainTracer.SHALLOW)).isEqualTo(2);
        }
    }

    @Test
    void theSearchWaitsForThreadsToLookAndIsNotCalledIdleMeanwhile() {
        List<Session> leak = SearchExamplesTest.sessions(10);
        told.locals.add(new Local(leak, "leak"));
        told.unsettled = 5 * IncrementalChainSearch.NO_PROGRESS_PASS_LIMIT;
        try (SearchBench bench = bench()) {
            SearchFinding finding = bench.find(leak);
            assertThat(finding.reached()).isEqualTo(10);
            assertThat(bench.search.state()).isEqualTo(SearchState.COMPLETED);
        }
    }

    @Test
    void allocatingThreadsAreWantedWhileTheSearchSeeksAndNoLonger() {
        List<Session> leak = SearchExamplesTest.sessions(3);
        try (SearchBench bench = bench()) {
            bench.find(leak);
            assertThat(told.wanted).startsWith(Set.of(1L)).endsWith(Set.of());
        }
    }

    @Test
    void aListThatGrowsWhileItIsWalkedIsReadAgain() {
        List<Session> leak = new ArrayList<>(SearchExamplesTest.sessions(10));
        List<Session> sought = new ArrayList<>(leak);
        Session late = new Session(99);
        sought.add(late);
        told.locals.add(new Local(leak, "leak"));
        told.unsettled = 3;
        try (SearchBench bench = bench()) {
            bench.seek(sought).start();
            int passesSinceAsked = 0;
            while (passesSinceAsked < 6 && bench.search.state() == SearchState.RUNNING) {
                bench.pass(SearchBench.budget(1));
                passesSinceAsked += told.asked > 0 ? 1 : 0;
            }
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            leak.add(late); // into a new array: the old one is being walked
            assertThat(bench.finish(SearchBench.UNLIMITED).get(0).reached()).isEqualTo(11);
        }
    }
}
