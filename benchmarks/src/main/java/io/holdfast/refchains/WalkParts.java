package io.holdfast.refchains;

import io.holdfast.benchmarks.MeasuredPart;
import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * Where does the walk's time go? Each part alone, over the same objects: in the order in which they lie in memory, and shuffled, where nearly each costs
 * a cache miss. In this package because the parts are package-private.
 *
 * <p>Arguments: thousands of objects, repetitions.
 */
final class WalkParts {
    private static final byte KIND = Link.FIELD;

    private final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters()).reader();
    private final int objects;
    private final int repetitions;
    private long sink;

    private interface Work {
        void over(Object[] all);
    }

    private WalkParts(int objects, int repetitions) {
        this.objects = objects;
        this.repetitions = repetitions;
    }

    public static void main(String[] args) {
        WalkParts parts = new WalkParts(Integer.parseInt(args[0]) * 1_000, Integer.parseInt(args[1]));
        System.out.printf("%s %s, %,d objects; ns CPU for each, median (smallest–largest) of %s runs%n", System.getProperty("java.vm.name"),
                System.getProperty("java.version"), parts.objects, args[1]);
        System.out.println("| part | in order | shuffled |");
        System.out.println("|---|---|---|");
        parts.run();
    }

    private Object[] build(boolean shuffled) {
        Object[] all = new Object[objects];
        for (int i = 0; i < objects; i++) {
            all[i] = MeasuredPart.next(i, all);
        }
        // First: a collector that moves objects would put them into the order of the array.
        System.gc();
        if (shuffled) {
            Random random = new Random(1);
            for (int i = objects - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                Object swapped = all[i];
                all[i] = all[other];
                all[other] = swapped;
            }
        }
        return all;
    }

    private void run() {
        // One run of all for the compiler.
        measure("warm-up", false, this::hash);
        for (boolean print : new boolean[] {false, true}) {
            measure("class of the object (a look at its header)", print, this::header);
            measure("plan of its class", print, this::plan);
            measure("plan and one reference read", print, this::reference);
            fresh("identity hash, the first time", print, this::hash);
            measure("identity hash, known", print, this::hash);
            measure("look into the table, not there", print, all -> find(all, new VisitedTable(objects + 1)));
            measure("hash, look, and entry into the table", print, this::add);
            measure("hash and look into the full table, there", print, new Lookups()::find);
            measure("frontier in and out within a slice", print, this::frontier);
            measure("a weak reference, as for each that waits over a slice's end", print, this::weak);
        }
        if (sink == 42) {
            System.out.println(sink);
        }
    }

    private void measure(String part, boolean print, Work work) {
        row(part, print, work, false);
    }

    private void fresh(String part, boolean print, Work work) {
        row(part, print, work, true);
    }

    private void row(String part, boolean print, Work work, boolean freshEachTime) {
        StringBuilder row = new StringBuilder("| ").append(part);
        for (boolean shuffled : new boolean[] {false, true}) {
            List<Double> nanos = new ArrayList<>();
            Object[] all = build(shuffled);
            if (!freshEachTime) {
                work.over(all);
            }
            for (int i = 0; i < repetitions; i++) {
                if (freshEachTime && i > 0) {
                    all = build(shuffled);
                }
                long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                work.over(all);
                nanos.add((double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / objects);
            }
            nanos.sort(null);
            row.append(String.format(Locale.ROOT, " | %.1f (%.1f–%.1f)", nanos.get(nanos.size() / 2), nanos.get(0), nanos.get(nanos.size() - 1)));
        }
        if (print) {
            System.out.println(row.append(" |"));
        }
    }

    private void header(Object[] all) {
        for (Object object : all) {
            sink += object.getClass() == MeasuredPart.class ? 1 : 2;
        }
    }

    private void plan(Object[] all) {
        for (Object object : all) {
            sink += reader.plan(object).id();
        }
    }

    private void reference(Object[] all) {
        for (Object object : all) {
            ClassPlan plan = reader.plan(object);
            sink += reader.reference(object, plan.offset(0)) == all ? 1 : 2;
        }
    }

    private void hash(Object[] all) {
        for (Object object : all) {
            sink += System.identityHashCode(object);
        }
    }

    private void find(Object[] all, VisitedTable table) {
        for (Object object : all) {
            sink += table.find(System.identityHashCode(object), 1);
        }
    }

    private void add(Object[] all) {
        VisitedTable table = new VisitedTable(objects + 1);
        for (Object object : all) {
            int hash = System.identityHashCode(object);
            if (table.find(hash, 1) < 0) {
                table.add(hash, 1, VisitedTable.NONE, KIND, 0, 1);
            }
        }
        sink += table.size();
    }

    /** Fills its table when it meets other objects than before. */
    private final class Lookups {
        private Object[] known;
        private VisitedTable table;

        void find(Object[] all) {
            if (known != all) {
                known = all;
                table = new VisitedTable(objects + 1);
                for (Object object : all) {
                    table.add(System.identityHashCode(object), 1, VisitedTable.NONE, KIND, 0, 1);
                }
            }
            WalkParts.this.find(all, table);
        }
    }

    private void frontier(Object[] all) {
        Frontier frontier = new Frontier();
        for (int i = 0; i < all.length; i++) {
            frontier.add(all[i], i, 0);
            if (i % 2 == 1) {
                sink += frontier.object() == all ? 1 : 2;
                frontier.remove();
            }
        }
        while (!frontier.isEmpty()) {
            sink += frontier.object() == all ? 1 : 2;
            frontier.remove();
        }
    }

    private void weak(Object[] all) {
        Object[] weak = new Object[1_024];
        for (int i = 0; i < all.length; i++) {
            weak[i & 1_023] = new WeakReference<>(all[i]);
        }
        sink += weak[5] == all ? 1 : 2;
    }
}
