package io.holdfast.refchains;

import io.holdfast.core.LeakCandidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The instances sought, recognised by identity alone. Between slices they are held weakly (by the candidates); {@link #begin} looks them up for
 * one slice and {@link #end} lets go. Not thread-safe.
 */
final class Targets {
    static final int MAX_SLOTS = 5;
    static final int NONE = -1;
    /** At most 5 × 64 instances: a third full. */
    private static final int TABLE = 1_024;
    private static final int INSTANCE_BITS = 6;

    private final List<Slot> slots = new ArrayList<>(MAX_SLOTS);
    private final Object[] objects = new Object[TABLE];
    private final int[] numbers = new int[TABLE];
    private boolean[] classIds = new boolean[1_024];
    private boolean leafSought;
    private int outstanding;

    List<Slot> slots() {
        return slots;
    }

    /** Gives the candidate a slot. Returns null if there is none free or it has one. */
    Slot assign(LeakCandidate candidate) {
        if (slots.size() == MAX_SLOTS) {
            return null;
        }
        for (Slot slot : slots) {
            if (slot.candidate.id() == candidate.id()) {
                return null;
            }
        }
        Slot slot = new Slot(candidate);
        slots.add(slot);
        return slot;
    }

    void clear() {
        slots.clear();
        end();
    }

    /** Looks up the instances still to be reached. */
    void begin(HeapReader reader) {
        end();
        for (int s = 0; s < slots.size(); s++) {
            Slot slot = slots.get(s);
            for (int i = 0; i < slot.entries.length && !slot.found; i++) {
                Object instance = slot.reached(i) ? null : slot.instance(i);
                if (instance != null) {
                    put(instance, s << INSTANCE_BITS | i);
                    ClassPlan plan = reader.plan(instance);
                    seek(plan.id());
                    leafSought |= plan.shape() == Shape.LEAF;
                    outstanding++;
                }
            }
        }
    }

    void end() {
        Arrays.fill(objects, null);
        Arrays.fill(classIds, false);
        leafSought = false;
        outstanding = 0;
    }

    private void seek(int classId) {
        if (classId >= classIds.length) {
            classIds = Arrays.copyOf(classIds, Math.max(classId + 1, classIds.length * 2));
        }
        classIds[classId] = true;
    }

    private void put(Object instance, int number) {
        int slot = System.identityHashCode(instance) & TABLE - 1;
        while (objects[slot] != null) {
            slot = slot + 1 & TABLE - 1;
        }
        objects[slot] = instance;
        numbers[slot] = number;
    }

    /** Whether instances of that class are sought. */
    boolean seeks(int classId) {
        return classId < classIds.length && classIds[classId];
    }

    /** Whether instances of leaf classes are sought, so that leaf fields matter. */
    boolean leafSought() {
        return leafSought;
    }

    /** Whether this very object is sought and not yet reached. */
    boolean contains(Object object) {
        return find(object) != NONE;
    }

    private int find(Object object) {
        for (int slot = System.identityHashCode(object) & TABLE - 1; objects[slot] != null; slot = slot + 1 & TABLE - 1) {
            if (objects[slot] == object) {
                int number = numbers[slot];
                if (!slots.get(number >> INSTANCE_BITS).reached(number & (1 << INSTANCE_BITS) - 1)) {
                    return slot;
                }
            }
        }
        return NONE;
    }

    /** Records that the object was met. One object may be sought by several candidates. */
    void reached(Object object, int entry) {
        for (int slot = find(object); slot != NONE; slot = find(object)) {
            int number = numbers[slot];
            slots.get(number >> INSTANCE_BITS).entries[number & (1 << INSTANCE_BITS) - 1] = entry;
            outstanding--;
        }
    }

    /** Whether of some candidate not even half of the living instances have been reached: a few may be dead and not cleared yet, most are not. */
    boolean mostlyUnreached() {
        for (Slot slot : slots) {
            int reached = 0;
            int missed = 0;
            for (int i = 0; i < slot.entries.length && !slot.found; i++) {
                if (slot.reached(i)) {
                    reached++;
                } else if (slot.instance(i) != null) {
                    missed++;
                }
            }
            if (missed > reached) {
                return true;
            }
        }
        return false;
    }

    /** Ids of the threads that allocated the instances sought, most instances first. */
    Set<Long> threads(int max) {
        Map<Long, Integer> instances = new HashMap<>();
        for (Slot slot : slots) {
            slot.candidate.instances().forEach(i -> instances.merge(i.threadId(), 1, Integer::sum));
        }
        return instances.entrySet().stream().sorted(Map.Entry.<Long, Integer>comparingByValue().reversed()).limit(max).map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Living instances not reached, as of {@link #begin} and since. */
    int outstanding() {
        return outstanding;
    }
}
