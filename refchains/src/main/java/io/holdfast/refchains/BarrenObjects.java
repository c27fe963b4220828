package io.holdfast.refchains;

import java.util.Arrays;

/*
 * Most objects lead nowhere: a map's node from a string to a number, an address with its lines. To enter them into the table costs more memory than
 * all that is worth entering, and coming back to them later costs a cache miss each. So an object is looked into when it is met: if all that hangs
 * below it within a few steps are leaves, or objects already met, it is passed over. Should it be met again, it is looked into again: that costs a few
 * reads, never more than the bound below. What was passed over has no entry and needs no identity hash, the dearest part of meeting an object.
 *
 * Where the look seldom succeeds it costs more than it spares: in a graph each object leads to others. So the share of looks that succeed is kept for
 * each pair of classes, of the object and of the one that refers to it (the same class may be a dead end below a list and a link below a map). Where it
 * does not pay, only one object in a while is looked into, for the heap is not the same everywhere. Not to look is always right: the object is entered.
 *
 * Collections are never passed over, however empty: what is put into them later is found by reading them again (see Rotation).
 */
/** Tells objects below which there is nothing to find. Not thread-safe. */
final class BarrenObjects {
    /** Steps below the object: from a map's node to its value and to what that is made of. */
    private static final int LEVELS = 3;
    /** References read for one object. */
    private static final int MAX_READS = 16;
    private static final int NONE = VisitedTable.NONE;
    /** Pairs of classes whose balance is kept; pairs that share a place share a balance. */
    private static final int BALANCES = 4_096;
    private static final int FIRST_BALANCE = 32;
    private static final int MAX_BALANCE = 64;
    /** What a look that succeeds is worth, in units of two reads: hash, entry and way back to the object. */
    private static final int GAIN = 8;
    /** Objects passed without a look once the balance is used up. */
    private static final int REST = 64;

    private final HeapReader reader;
    private final Targets targets;
    private final Slice slice;
    private final HeapWalk walk;
    /** Above 0 looks are made, each of which changes it; below, it counts up to the next look. */
    private final byte[] balances = new byte[BALANCES];
    private int readsLeft;

    BarrenObjects(HeapReader reader, Targets targets, Slice slice, HeapWalk walk) {
        this.reader = reader;
        this.targets = targets;
        this.slice = slice;
        this.walk = walk;
        Arrays.fill(balances, (byte) FIRST_BALANCE);
    }

    /** Whether a look into an object of that plan, to which one of class {@code aboveId} refers, is likely to pay. To be asked once for each object met. */
    boolean worthALook(ClassPlan plan, int aboveId) {
        if (!canBe(plan)) {
            return false;
        }
        int balance = balanceOf(plan, aboveId);
        if (balances[balance] >= 0) {
            return true;
        }
        balances[balance]++;
        return false;
    }

    /** Whether an object to which one of class {@code aboveId} refers can be left out. False when in doubt. */
    boolean is(Object object, ClassPlan plan, int aboveId) {
        readsLeft = MAX_READS;
        boolean barren = is(object, plan, aboveId, LEVELS);
        int balance = balanceOf(plan, aboveId);
        int left = balances[balance] + (barren ? GAIN : -1 - (MAX_READS - Math.max(0, readsLeft)) / 2);
        balances[balance] = (byte) (left > 0 ? Math.min(MAX_BALANCE, left) : -REST);
        return barren;
    }

    private static boolean canBe(ClassPlan plan) {
        return (plan.shape() == Shape.OBJECT || plan.shape() == Shape.OBJECT_ARRAY) && !plan.collection() && !plan.map();
    }

    private static int balanceOf(ClassPlan plan, int aboveId) {
        return (plan.id() * 31 ^ aboveId) * 0x9E37_79B9 >>> -Integer.numberOfTrailingZeros(BALANCES);
    }

    private boolean is(Object object, ClassPlan plan, int aboveId, int levels) {
        if (!canBe(plan) || plan.customLoader() && walk.wantsLoaderOf(plan)) {
            return false;
        }
        return plan.shape() == Shape.OBJECT ? fields(object, plan, aboveId, levels) : elements((Object[]) object, plan, levels);
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
                return levels > 0 && is(child, plan, aboveId, levels) || !linked && walk.met(child, plan);
            }
            default -> {
                return walk.met(child, plan);
            }
        }
    }
}
