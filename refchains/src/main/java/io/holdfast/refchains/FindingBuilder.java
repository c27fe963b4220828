package io.holdfast.refchains;

import io.holdfast.core.Accumulation;
import io.holdfast.core.Counters;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.SearchFinding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Makes the finding of one slot: reads the chain of each instance again, one instance a step, groups the chains and looks for the accumulation
 * point. Resumable between instances; holds no object of the application between steps.
 */
final class FindingBuilder {
    private static final int MAX_CHAINS = 8;

    private final Slot slot;
    private final ChainTracer tracer;
    private final AccumulationFinder accumulations;
    private final List<TracedChain> strong = new ArrayList<>();
    private final List<TracedChain> soft = new ArrayList<>();
    private final TreeSet<Long> cohortsSought = new TreeSet<>();
    private final TreeSet<Long> cohortsReached = new TreeSet<>();
    private final Counters counters;
    /** The slot's instances in the order in which the walk met them, so that those of one list lie behind each other. */
    private final int[] order;
    private int next;
    private int sought;

    FindingBuilder(Slot slot, ChainTracer tracer, HeapReader reader, Roots roots, Counters counters) {
        this.counters = counters;
        this.slot = slot;
        this.tracer = tracer;
        this.accumulations = new AccumulationFinder(reader, roots);
        tracer.forget();
        this.order = IntStream.range(0, slot.entries.length).boxed().sorted(Comparator.comparingInt(i -> slot.entries[i])).mapToInt(i -> i).toArray();
    }

    Slot slot() {
        return slot;
    }

    /** Reads chains again until the slice is over. Returns whether all are done. */
    boolean run(Slice slice) {
        while (next < order.length) {
            if (slice.check()) {
                return false;
            }
            long before = tracer.references();
            step(order[next++]);
            slice.read((int) (1 + tracer.references() - before));
        }
        return true;
    }

    private void step(int i) {
        Object instance = slot.reached(i) ? slot.instance(i) : null;
        if (slot.reached(i) ? instance == null : !slot.alive(i)) {
            return;
        }
        long cohort = slot.candidate.instances().get(i).allocationEpoch();
        sought++;
        cohortsSought.add(cohort);
        TracedChain chain = instance == null ? null : tracer.trace(slot.entries[i], instance);
        if (chain == null) {
            return;
        }
        if (chain.soft || chain.entryOfSoftCache()) {
            soft.add(chain);
        } else {
            strong.add(chain);
            cohortsReached.add(cohort);
        }
    }

    /** The finding; {@code outcomeWithout} is its outcome if no strong chain was found. */
    SearchFinding finding(long searchId, String outcomeWithout, Instant now) {
        boolean found = !strong.isEmpty();
        List<Long> cohorts = new ArrayList<>(cohortsSought);
        boolean oldest = false;
        boolean newest = false;
        for (int i = 0; i < cohorts.size(); i++) {
            if (cohortsReached.contains(cohorts.get(i))) {
                oldest |= i < (cohorts.size() + 1) / 2;
                newest |= i >= cohorts.size() / 2;
            }
        }
        return new SearchFinding(slot.candidate.id(), searchId, found ? SearchFinding.CHAIN : outcomeWithout, chains(found ? strong : soft, now),
                sought, strong.size(), cohortsSought.size(), cohortsReached.size(), oldest, newest,
                found ? accumulation() : null);
    }

    /** A chain without its place is better than none. */
    private Accumulation accumulation() {
        try {
            return accumulations.find(strong, sought, slot.candidate.className());
        } catch (RuntimeException | LinkageError e) {
            counters.increment("refchains.accumulation.errors");
            return null;
        }
    }

    private List<ReferenceChain> chains(List<TracedChain> traced, Instant now) {
        Map<String, List<TracedChain>> groups = new HashMap<>();
        for (TracedChain chain : traced) {
            groups.computeIfAbsent(ChainLevels.signature(chain, ChainLevels.of(chain), chain.length), s -> new ArrayList<>()).add(chain);
        }
        Comparator<List<TracedChain>> order = Comparator.comparing(group -> -group.size());
        order = order.thenComparing(group -> -group.get(0).gcRoot.kind().durability());
        order = order.thenComparing(group -> group.get(0).length);
        List<List<TracedChain>> sorted = new ArrayList<>(groups.values());
        sorted.forEach(group -> group.sort(Comparator.comparingInt(chain -> chain.length)));
        sorted.sort(order);
        return sorted.stream().limit(MAX_CHAINS).map(group -> chain(group, now)).toList();
    }

    /** A chain that ends at what leaks is better than none. */
    private List<Hop> content(TracedChain chain, TracedChain other) {
        try {
            return tracer.content(chain, other);
        } catch (RuntimeException | LinkageError e) {
            counters.increment("refchains.content.errors");
            return List.of();
        }
    }

    private ReferenceChain chain(List<TracedChain> group, Instant now) {
        TracedChain chain = group.get(0);
        int first = chain.firstStep();
        int kept = chain.length - first;
        List<Hop> content = content(chain, group.size() > 1 ? group.get(1) : null);
        int room = ReferenceChain.MAX_HOPS - content.size();
        boolean cut = kept > room;
        int head = cut ? room / 2 : kept;
        List<Hop> hops = new ArrayList<>(Math.min(kept, room) + content.size());
        for (int i = 0; i < head; i++) {
            hops.add(chain.steps[first + i].hop());
        }
        for (int i = kept - (room - room / 2); cut && i < kept; i++) {
            hops.add(chain.steps[first + i].hop());
        }
        hops.addAll(content);
        int total = kept + chain.dropped() + content.size();
        return new ReferenceChain(chain.gcRoot, hops, total, cut || chain.dropped() > 0, group.size(),
                (double) group.size() / Math.max(1, sought), now);
    }
}
