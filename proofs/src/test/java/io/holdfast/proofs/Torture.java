package io.holdfast.proofs;

import io.holdfast.core.SearchFinding;
import java.lang.instrument.ClassFileTransformer;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Searches at full speed, slice after slice, while threads change what is searched, classes come and go, and one is redefined. At the end: the threads'
 * results are what they are without a walker, everything that was let go of has died while the walk went on, what was held all the time was found by
 * every search, and nothing was thrown.
 *
 * <p>Arguments: seconds, seed. Ends with status 0 and a line that begins with {@code survived}.
 */
final class Torture {
    private static final int MUTATORS = 3;
    private static final int STEPS_PER_ROUND = 1_000;
    private static final int RECENT = 8;
    private static final int MIN_SEARCHES = 3;
    private static final int MIN_LOADERS = 20;
    /** So that on a machine with no time to spare the loaders do not outrun the walker. */
    private static final int LOADERS_PER_SEARCH = 150;
    /** For the searches, and once more for what must die. */
    private static final int LIMIT_SECONDS = 240;

    static final List<MutatedGraph> GRAPHS = new ArrayList<>();
    static final Deque<Object> PLUGINS = new ArrayDeque<>();
    static Object[] anchor;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Searches searches = new Searches(false);
    private final long seed;
    private final long end;
    private final long limit;
    private volatile boolean stop;
    private volatile int searched;
    private volatile int loadersMade;
    private volatile int redefinitions;
    private final List<WeakReference<Object>> letGo = new ArrayList<>();

    /** Held in one place all the time. */
    private static final class Anchored {
        final Object itself = this;
    }

    /** Held for a while. */
    private static final class Passing {
        final byte[] weight = new byte[64];
        final Object itself = this;
    }

    private Torture(int seconds, long seed) {
        this.seed = seed;
        long now = System.nanoTime();
        end = now + seconds * 1_000_000_000L;
        limit = end + LIMIT_SECONDS * 1_000_000_000L;
    }

    public static void main(String[] args) throws InterruptedException {
        Torture torture = new Torture(Integer.parseInt(args[0]), Long.parseLong(args[1]));
        torture.run();
        Throwable failure = torture.failure.get();
        if (failure != null) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private interface Work {
        void run() throws Exception;
    }

    private Thread start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Throwable thrown) {
                failure.compareAndSet(null, thrown);
                stop = true;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void run() throws InterruptedException {
        List<Anchored> anchored = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            anchored.add(new Anchored());
        }
        anchor = anchored.toArray();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < MUTATORS; i++) {
            MutatedGraph graph = new MutatedGraph(seed + i);
            GRAPHS.add(graph);
            threads.add(start("mutator-" + i, () -> mutate(graph)));
        }
        threads.add(start("loaders", this::loadAndForget));
        threads.add(start("redefinition", this::redefine));
        Thread walker = start("walker", () -> walk(anchored));

        while (!stop && (System.nanoTime() < end || searched < MIN_SEARCHES || loadersMade < MIN_LOADERS)) {
            check(System.nanoTime() < limit, "only " + searched + " searches and " + loadersMade + " loaders");
            Thread.sleep(20);
        }
        int alive = stop ? 0 : awaitDeath();
        int searchedUntilThen = searched;
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
        walker.join();
        check(alive == 0, alive + " of " + letGo.size() + " objects and loaders are still alive");
        for (int i = 0; i < MUTATORS && failure.get() == null; i++) {
            MutatedGraph alone = new MutatedGraph(seed + i);
            while (alone.steps() < GRAPHS.get(i).steps()) {
                alone.step();
            }
            check(alone.checksum() == GRAPHS.get(i).checksum(), "mutator " + i + " computed something else than it does alone");
        }
        if (failure.get() == null) {
            System.out.println("survived " + searchedUntilThen + " searches, " + loadersMade + " loaders, " + redefinitions + " redefinitions, "
                    + GRAPHS.stream().mapToLong(MutatedGraph::steps).sum() + " mutations; counters " + searches.counters.snapshot());
        }
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            failure.compareAndSet(null, new AssertionError(otherwise));
            stop = true;
        }
    }

    private void mutate(MutatedGraph graph) throws InterruptedException {
        while (!stop) {
            long began = System.nanoTime();
            for (int i = 0; i < STEPS_PER_ROUND; i++) {
                graph.step();
            }
            // Leaves the walker its share, however few cores there are and however busy.
            Thread.sleep(1 + (System.nanoTime() - began) / 200_000);
        }
    }

    /** Class loaders, hidden classes and plain objects that are held for a short time. Recorded weakly, for {@link #awaitDeath}. */
    private void loadAndForget() throws Exception {
        while (!stop) {
            if (loadersMade > LOADERS_PER_SEARCH * (searched + 1)) {
                Thread.sleep(20);
                continue;
            }
            long began = System.nanoTime();
            Passing passing = new Passing();
            PluginLoader loader = new PluginLoader();
            Object plugin = loader.plugin(new Object[] {passing}, passing);
            Class<?> hidden = MethodHandles.lookup().defineHiddenClass(PluginLoader.BYTES, true).lookupClass();
            hidden.getField("kept").set(null, passing);
            synchronized (letGo) {
                if (letGo.size() > 20_000) {
                    letGo.removeIf(reference -> reference.refersTo(null));
                }
                for (Object object : List.of(passing, loader, plugin, plugin.getClass(), hidden)) {
                    letGo.add(new WeakReference<>(object));
                }
            }
            synchronized (PLUGINS) {
                PLUGINS.add(plugin);
                PLUGINS.add(hidden.getConstructor().newInstance());
                while (PLUGINS.size() > RECENT) {
                    PLUGINS.poll();
                }
            }
            loadersMade++;
            Thread.sleep(5 + (System.nanoTime() - began) / 200_000);
        }
    }

    private void redefine() throws Exception {
        byte[] node = PluginLoader.bytes(MutatedGraph.Node.class);
        // Bytes handed back, though equal, make the VM go through the whole redefinition.
        ClassFileTransformer sameBytes = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                return redefined == MutatedGraph.Node.class ? node : null;
            }
        };
        searches.instrumentation.addTransformer(sameBytes, true);
        while (!stop) {
            searches.instrumentation.retransformClasses(MutatedGraph.Node.class);
            redefinitions++;
            Thread.sleep(100);
        }
    }

    private void walk(List<Anchored> anchored) {
        long id = 0;
        while (!stop) {
            List<Object> changing = new ArrayList<>();
            synchronized (PLUGINS) {
                changing.addAll(PLUGINS);
            }
            var candidates = new ArrayList<>(List.of(Searches.candidate(++id, anchored)));
            if (!changing.isEmpty()) {
                candidates.add(Searches.candidate(++id, changing.subList(0, 1)));
            }
            long held = candidates.get(0).id();
            changing.clear();
            // Slices of all lengths: what is held between two of them is held weakly only.
            List<SearchFinding> findings = searches.run(candidates, 50_000L << id % 8, () -> stop);
            for (SearchFinding finding : findings) {
                if (finding.candidateId() == held) {
                    check(finding.reached() == anchored.size(), "found " + finding);
                }
            }
            check(searches.counters.get("refchains.walk.errors") == 0, "errors: " + searches.counters.snapshot());
            searched += findings.isEmpty() ? 0 : 1;
        }
    }

    /** Waits, with the walk going on, until everything that was let go of has died. Returns how many have not. */
    private int awaitDeath() throws InterruptedException {
        List<WeakReference<Object>> waitedFor;
        synchronized (letGo) {
            waitedFor = new ArrayList<>(letGo);
        }
        int made = loadersMade;
        while (!stop && loadersMade < made + RECENT + 2) {
            Thread.sleep(5);
        }
        int alive = waitedFor.size();
        long patience = System.nanoTime() + LIMIT_SECONDS * 1_000_000_000L;
        while (!stop && alive > 0 && System.nanoTime() < patience) {
            System.gc();
            Thread.sleep(50);
            // Not get(): while ZGC or Shenandoah mark, it keeps alive what it returns, and where one cycle follows the other that is for ever.
            waitedFor.removeIf(reference -> reference.refersTo(null));
            alive = waitedFor.size();
        }
        return stop ? 0 : alive;
    }
}
