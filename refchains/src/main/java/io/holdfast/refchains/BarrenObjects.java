package io.holdfast.refchains;

/*
 * Most objects lead nowhere: a map's node from a string to a number, an address with its lines. To enter them into the table costs more memory than
 * all that is worth entering, and coming back to them later costs a cache miss each. So an object is looked into when it is met: if all that hangs
 * below it within a few steps are leaves, or objects already met, it is passed over. Should it be met again, it is looked into again: that costs a few
 * reads, never more than the bound below.
 *
 * Collections are never passed over, however empty: what is put into them later is found by reading them again (see Revisit).
 */
/** Tells objects below which there is nothing to find. Not thread-safe. */
final class BarrenObjects {
    /** Steps below the object: from a map's node to its value and to what that is made of. */
    private static final int LEVELS = 3;
    /** References read for one object. */
    private static final int MAX_READS = 16;
    private static final int NONE = VisitedTable.NONE;

    private final HeapReader reader;
    private final VisitedTable table;
    private final Targets targets;
    private final Slice slice;
    private final EdgeVisitor walk;
    private int readsLeft;

    BarrenObjects(HeapReader reader, VisitedTable table, Targets targets, Slice slice, EdgeVisitor walk) {
        this.reader = reader;
        this.table = table;
        this.targets = targets;
        this.slice = slice;
        this.walk = walk;
    }

    /** Whether an object to which one of class {@code aboveId} refers can be left out. False when in doubt. */
    boolean is(Object object, ClassPlan plan, int aboveId) {
        readsLeft = MAX_READS;
        return is(object, plan, aboveId, LEVELS);
    }

    private boolean is(Object object, ClassPlan plan, int aboveId, int levels) {
        if (plan.collection() || plan.map() || plan.customLoader() && walk.wantsLoaderOf(plan)) {
            return false;
        }
        return switch (plan.shape()) {
            case OBJECT -> fields(object, plan, aboveId, levels);
            case OBJECT_ARRAY -> elements((Object[]) object, plan, levels);
            default -> false;
        };
    }

    private boolean fields(Object object, ClassPlan plan, int aboveId, int levels) {
        boolean all = targets.leafSought();
        int count = plan.fieldCount();
        for (int i = 0; i < count; i++) {
            if (all || plan.mayLead(i)) {
                if (readsLeft-- == 0) {
                    return false;
                }
                Object child = reader.reference(object, plan.offset(i));
                slice.read();
                if (child != null && child != object && !leadsNowhere(child, plan.id(), aboveId, levels - 1)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean elements(Object[] array, ClassPlan plan, int levels) {
        int length = array.length;
        if (length > readsLeft) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (readsLeft-- == 0) {
                return false;
            }
            Object child = array[i];
            slice.read();
            if (child != null && !leadsNowhere(child, plan.id(), NONE, levels - 1)) {
                return false;
            }
        }
        return true;
    }

    private boolean leadsNowhere(Object child, int aboveId, int furtherAboveId, int levels) {
        ClassPlan plan = reader.plan(child);
        if (targets.seeks(plan.id()) && targets.contains(child)) {
            return false;
        }
        switch (plan.shape()) {
            case OWN -> {
                return true;
            }
            case LEAF -> {
                // a leaf may hold a sought leaf: a string its bytes
                return !(plan.customLoader() && walk.wantsLoaderOf(plan))
                        && (!targets.leafSought() || plan.fieldCount() == 0 || fields(child, plan, NONE, HeapWalk.LEAF_LEVELS));
            }
            case OBJECT, OBJECT_ARRAY -> {
                // whether a node of a list is another one with an equal hash is for the walk to decide
                boolean linked = plan.id() == aboveId || plan.id() == furtherAboveId;
                return levels > 0 && is(child, plan, aboveId, levels) || !linked && table.find(System.identityHashCode(child), plan.id()) >= 0;
            }
            default -> {
                return table.find(System.identityHashCode(child), plan.id()) >= 0;
            }
        }
    }
}
