package io.holdfast.refchains;

import io.holdfast.core.Accumulation;
import io.holdfast.core.ClassNames;
import io.holdfast.core.GcRoot;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Objects whose {@code finalize} has yet to run. They cannot be tracked from their allocation on: the VM clears every weak reference to them before it
 * puts them here. So the queue itself is looked at: how long it is and what is in it. By reading fields; no lock is taken, no finalizer called, nothing
 * kept. Holdfast thread only.
 */
public final class FinalizationQueue implements GrowthProbe {
    /** The field behind which they wait. */
    public static final String HOLDER = "java.lang.ref.Finalizer#queue";
    private static final String FINALIZER = "java.lang.ref.Finalizer";
    private static final String LABEL = "objects waiting for finalisation";

    private final HeapReader reader;
    private final Class<?> finalizer;
    private final int field;
    private final long length;
    private final long head;
    private final long next;
    private final long referent;

    private FinalizationQueue(HeapReader reader, Class<?> finalizer, int field, long length, long head, long next, long referent) {
        this.reader = reader;
        this.finalizer = finalizer;
        this.field = field;
        this.length = length;
        this.head = head;
        this.next = next;
        this.referent = referent;
    }

    /** Empty where the JDK's classes cannot be read, or look different. */
    public static Optional<FinalizationQueue> open(HeapAccess access) {
        return open(access.reader());
    }

    static Optional<FinalizationQueue> open(HeapReader reader) {
        try {
            Class<?> finalizer = Class.forName(FINALIZER, false, null);
            long length = reader.offsetOf(ReferenceQueue.class, "queueLength");
            long head = reader.offsetOf(ReferenceQueue.class, "head");
            long next = reader.offsetOf(Reference.class, "next");
            long referent = reader.offsetOf(Reference.class, "referent");
            ClassPlan statics = reader.statics(finalizer);
            for (int i = 0; i < statics.fieldCount(); i++) {
                if (statics.field(i).equals("queue") && length >= 0 && head >= 0 && next >= 0 && referent >= 0) {
                    return Optional.of(new FinalizationQueue(reader, finalizer, i, length, head, next, referent));
                }
            }
            return Optional.empty();
        } catch (ClassNotFoundException | LinkageError | RuntimeException different) {
            return Optional.empty();
        }
    }

    /** Objects waiting now. */
    @Override
    public long elements() {
        Object queue = queue();
        return queue == null ? -1 : reader.longField(queue, length);
    }

    private Object queue() {
        return reader.reference(finalizer, reader.statics(finalizer).offset(field)) instanceof ReferenceQueue<?> queue ? queue : null;
    }

    /** How many objects of each class are among the {@code max} that came last. The queue changes meanwhile, so it may be fewer. */
    Map<String, Integer> classes(int max) {
        Map<String, Integer> classes = new HashMap<>();
        Object queue = queue();
        Object at = queue == null ? null : reader.reference(queue, head);
        for (int i = 0; i < max && at != null && at.getClass() == finalizer; i++) {
            Object waiting = reader.reference(at, referent);
            if (waiting != null) {
                classes.merge(ClassNames.of(waiting.getClass()), 1, Integer::sum);
            }
            Object after = reader.reference(at, next);
            at = after == at ? null : after; // the last one refers to itself
        }
        return classes;
    }

    /**
     * The queue as a place where objects pile up, named after the class most of the {@code max} newest belong to; empty when nothing waits.
     *
     * @param candidateId number of the finding's candidate
     */
    public Optional<SearchFinding> finding(long candidateId, int max, Instant now) {
        Map<String, Integer> classes = classes(max);
        int seen = classes.values().stream().mapToInt(Integer::intValue).sum();
        return classes.entrySet().stream().max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey())).map(most -> {
            double share = (double) most.getValue() / seen;
            Hop hop = Hop.field(FINALIZER, Reference.class.getName(), "referent", most.getKey());
            ReferenceChain chain = new ReferenceChain(new GcRoot(RootKind.FINALIZER_QUEUE, LABEL, null), List.of(hop), 1, false, most.getValue(), share, now);
            return new SearchFinding(candidateId, 0, SearchFinding.CHAIN, List.of(chain), seen, most.getValue(), 1, 1, true, true,
                    new Accumulation(HOLDER, ReferenceQueue.class.getName(), most.getKey(), share, chain.signature(), this));
        });
    }
}
