package io.holdfast.liveness;

import java.util.ArrayList;
import java.util.List;

/** What came from one allocation site, or from {@code watch} under one label. Mutable, of the Holdfast thread. */
final class SiteHistory {
    /** Pairs of class and context told apart per site; a site in reflection or {@code clone} makes many classes. */
    static final int MAX_CLASSES = 128;
    /** With that many pairs, new contexts are no longer told apart. */
    static final int MAX_CLASSES_BY_CONTEXT = 64;
    /** Contexts told apart per site; what comes from others is taken together. */
    static final int MAX_CONTEXTS = 32;
    /** Epochs after which a class without rows is forgotten. */
    private static final long FORGOTTEN_AFTER = 64;
    /** The same where contexts are used up, and epochs after which a context of which nothing is followed is forgotten. */
    private static final long FORGOTTEN_EARLY_AFTER = 8;

    final int siteId;
    /** Label given to {@code watch}, or null. */
    final String label;
    final long firstEpoch;
    final long firstNanos;
    final SiteStacks stacks = new SiteStacks();
    /** Whether the site serves all of the program; see {@link CallContext}. */
    final boolean inJdk;
    /** What is not told apart. */
    final CallContext anyContext = new CallContext("");
    private final List<CallContext> contexts = new ArrayList<>(1);
    private final List<SiteClass> classes = new ArrayList<>(1);
    private long admitted;
    private int skipped;
    private int mostContexts = 1;

    // Tally of the last fold.
    private int survivors;
    private int ages;
    private long lastEpoch;
    private long judged;
    private int unjudgedRows;

    SiteHistory(int siteId, String label, boolean inJdk, long firstEpoch, long firstNanos) {
        this.siteId = siteId;
        this.inJdk = inJdk;
        this.label = label;
        this.firstEpoch = firstEpoch;
        this.firstNanos = firstNanos;
    }

    /** The context of an undecoded stack: its first frame outside the JDK. */
    CallContext context(Throwable stack, long epoch) {
        String outside = StackDecoder.firstOutsideJdk(stack);
        for (CallContext context : contexts) {
            if (context.frame.equals(outside)) {
                context.seen(epoch);
                return context;
            }
        }
        if (contextsUsedUp()) {
            return anyContext;
        }
        CallContext added = new CallContext(outside);
        added.seen(epoch);
        contexts.add(added);
        mostContexts = Math.max(mostContexts, contexts.size());
        return added;
    }

    private boolean contextsUsedUp() {
        return contexts.size() == MAX_CONTEXTS || classes.size() >= MAX_CLASSES_BY_CONTEXT;
    }

    /** The most contexts that were told apart at any time, at least one: a shared site stays one while its users rest. */
    int contexts() {
        return mostContexts;
    }

    /** Contexts remembered now. */
    int contextsHeld() {
        return contexts.size();
    }

    /** What the class and the context have of this site; null when there are too many such pairs and all of them have rows. */
    SiteClass of(TrackedClass type, CallContext context) {
        int free = -1;
        for (int i = 0; i < classes.size(); i++) {
            SiteClass origin = classes.get(i);
            if (origin.type == type && origin.context == context) {
                return origin;
            }
            free = origin.rows == 0 ? i : free;
        }
        SiteClass added = new SiteClass(this, type, context);
        if (classes.size() < MAX_CLASSES) {
            classes.add(added);
        } else if (free >= 0) {
            classes.set(free, added);
        } else {
            return null;
        }
        return added;
    }

    List<SiteClass> classes() {
        return classes;
    }

    /** Counts a sample the ratio left out. */
    void skip() {
        skipped = skipped == Integer.MAX_VALUE ? skipped : skipped + 1;
    }

    /** Weight of the next admitted sample: itself and those left out since the last one. */
    int nextWeight() {
        return skipped == Integer.MAX_VALUE ? skipped : skipped + 1;
    }

    void admit(int weight) {
        admitted += weight;
        skipped = 0;
    }

    /** Counts a row that no collection has judged yet. */
    void newRow() {
        unjudgedRows++;
    }

    /** Rows that no collection had judged, and those that came since. */
    int unjudgedRows() {
        return unjudgedRows;
    }

    void resetTally(long foldEpoch) {
        survivors = 0;
        ages = 0;
        lastEpoch = -1;
        judged = admitted;
        unjudgedRows = 0;
        forget(foldEpoch);
        classes.forEach(SiteClass::resetTally);
    }

    /** Who called at start-up must not keep the places of those who call later. */
    private void forget(long foldEpoch) {
        long classesAfter = !contexts.isEmpty() && contextsUsedUp() ? FORGOTTEN_EARLY_AFTER : FORGOTTEN_AFTER;
        classes.removeIf(origin -> origin.rows == 0 && origin.cohortsAdmitted.newest() < foldEpoch - classesAfter);
        contexts.removeIf(context -> context.newestEpoch() < foldEpoch - FORGOTTEN_EARLY_AFTER && !follows(context));
    }

    private boolean follows(CallContext context) {
        for (SiteClass origin : classes) {
            if (origin.context == context) {
                return true;
            }
        }
        return false;
    }

    /** Told the survivors in the order of their epochs. */
    void survivor(long allocationEpoch) {
        if (survivors == 0 || allocationEpoch != lastEpoch) {
            ages++;
            lastEpoch = allocationEpoch;
        }
        survivors++;
    }

    /** A row that no collection has judged yet. */
    void unjudged(int weight) {
        judged -= weight;
        unjudgedRows++;
    }

    long admitted() {
        return admitted;
    }

    /** Samples that have seen a collection, up to the last fold. */
    long judged() {
        return judged;
    }

    int survivors() {
        return survivors;
    }

    int ages() {
        return ages;
    }
}
