package io.holdfast.refchains;

import io.holdfast.core.LeakCandidate;
import io.holdfast.core.TrackedInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The instances sought, recognised by identity alone and never held: see {@link Slot}. {@link #begin} lists for one pass those that still live. Not thread-safe. */
final class Targets {
    static final int MAX_SLOTS = 5;
    static final int NONE = -1;
    /** At most 5 × 64 instances: a third full. */
    private static final int TABLE = 1_024;
    private static final int INSTANCE_BITS = 6;

    private final List<Slot> slots = new ArrayList<>(MAX_SLOTS);
    private final int[] hashes = new int[TABLE];
    private final int[] numbers = new int[TABLE];
    private boolean[] classIds = new boolean[1_024];
    private boolean leafSought;
    private int outstanding;

    Targets() {
        end();
    }

    List<Slot> slots() {
        return slots;
    }

    /** Whether there is a slot free and the candidate has none. */
    boolean takes(LeakCandidate candidate) {
        return slots.size() < MAX_SLOTS && slots.stream().noneMatch(slot -> slot.candidate.id() == candidate.id());
    }

    void add(Slot slot) {
        slots.add(slot);
    }

    void clear() {
        slots.clear();
        end();
    }

    /** Looks up the instances still to be reached. */
    void begin() {
        end();
        for (int s = 0; s < slots.size(); s++) {
            Slot slot = slots.get(s);
            for (int i = 0; i < slot.entries.length && !slot.found; i++) {
                if (!slot.reached(i) && slot.alive(i)) {
                    put(slot.hash(i), s << INSTANCE_BITS | i);
                    seek(slot.classId(i));
                    leafSought |= slot.leaf();
                    outstanding++;
                }
            }
        }
    }

    void end() {
        Arrays.fill(numbers, NONE);
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

    private void put(int hash, int number) {
        int place = hash & TABLE - 1;
        while (numbers[place] != NONE) {
            place = place + 1 & TABLE - 1;
        }
        hashes[place] = hash;
        numbers[place] = number;
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
        int hash = System.identityHashCode(object);
        for (int place = hash & TABLE - 1; numbers[place] != NONE; place = place + 1 & TABLE - 1) {
            if (hashes[place] == hash) {
                Slot slot = slots.get(numbers[place] >> INSTANCE_BITS);
                int i = instance(place);
                if (!slot.reached(i) && slot.is(i, object)) {
                    return place;
                }
            }
        }
        return NONE;
    }

    private int instance(int place) {
        return numbers[place] & (1 << INSTANCE_BITS) - 1;
    }

    /** Records that the object was met. One object may be sought by several candidates. */
    void reached(Object object, int entry) {
        for (int place = find(object); place != NONE; place = find(object)) {
            slots.get(numbers[place] >> INSTANCE_BITS).entries[instance(place)] = entry;
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
                } else if (slot.alive(i)) {
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
            slot.candidate.instances().stream().filter(i -> i.threadId() != TrackedInstance.UNKNOWN_THREAD).forEach(i -> instances.merge(i.threadId(), 1, Integer::sum));
        }
        return instances.entrySet().stream().sorted(Map.Entry.<Long, Integer>comparingByValue().reversed()).limit(max).map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Living instances not reached, as of {@link #begin} and since. */
    int outstanding() {
        return outstanding;
    }
}
