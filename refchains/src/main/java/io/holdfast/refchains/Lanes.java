package io.holdfast.refchains;

/**
 * The two queues of objects admitted but not yet walked. What is read again because sought instances arrived below it, what rotation meets, what is met from
 * there, and the next node of a list that was being walked when the slice ended wait in the priority lane; everything else in the ordinary one. They take
 * turns, {@value #BATCH} heads each, and the turn goes on over slices: neither can starve the other. Not thread-safe.
 */
final class Lanes {
    /** Objects in the priority lane at the most; what is more goes to the ordinary one. */
    static final int PRIORITY_CAP = 1_024;
    /** Heads taken from one lane while the other one waits. */
    static final int BATCH = 64;

    private final Frontier priority = new Frontier();
    private final Frontier ordinary = new Frontier();
    /** The lane of the head that is being walked, where what it leads to goes. */
    private Frontier current = ordinary;
    private Frontier turn = priority;
    private int leftOfTurn = BATCH;
    private boolean headInHand;

    boolean isEmpty() {
        return ordinary.isEmpty() && priority.isEmpty();
    }

    long size() {
        return ordinary.size() + priority.size();
    }

    long bytes() {
        return ordinary.bytes() + priority.bytes();
    }

    /** Chooses the lane whose head comes next; all methods about the head mean this one until {@link #headDone}. One of them must not be empty. */
    void choose() {
        headInHand = true;
        if (priority.isEmpty() || ordinary.isEmpty()) {
            current = priority.isEmpty() ? ordinary : priority;
            return;
        }
        if (leftOfTurn == 0) {
            turn = turn == priority ? ordinary : priority;
            leftOfTurn = BATCH;
        }
        leftOfTurn--;
        current = turn;
    }

    /** From here on what is added belongs to no head: it is ordinary. */
    void headDone() {
        current = ordinary;
        headInHand = false;
    }

    /** Whether a head has been chosen and nothing has become of it yet: it is to blame if something fails. */
    boolean headInHand() {
        return headInHand && !current.isEmpty();
    }

    /** Whether the head is one of the priority lane. */
    boolean headIsUrgent() {
        return current == priority;
    }

    /** From here until {@link #headDone} what is added is urgent. */
    void urgently() {
        current = priority;
    }

    /** Adds to the lane of the head being walked. */
    void add(Object object, int entry, int cursor) {
        (current == priority && urgentFull() ? ordinary : current).add(object, entry, cursor);
    }

    /** Adds to the priority lane, or to the ordinary one if that is full. */
    void addUrgent(Object object, int entry, int cursor) {
        (urgentFull() ? ordinary : priority).add(object, entry, cursor);
    }

    boolean urgentFull() {
        return priority.size() >= PRIORITY_CAP;
    }

    /** The smallest number an entry can have that waits for its first walk, roughly: the ordinary lane is in the order of admission. */
    int waitingFrom(int otherwise) {
        return ordinary.isEmpty() ? otherwise : ordinary.entry();
    }

    int entry() {
        return current.entry();
    }

    int cursor() {
        return current.cursor();
    }

    /** The object at the head, or null if it has died. */
    Object object() {
        return current.object();
    }

    /** The head was cut off: it goes on at {@code cursor} when its lane has its next turn, which comes after the other one's. */
    void moveCursor(int cursor) {
        headInHand = false;
        current.moveCursor(cursor);
        if (current == turn) {
            leftOfTurn = 0;
        }
    }

    void remove() {
        headInHand = false;
        current.remove();
    }

    /** Puts the head at the end of its lane, to be continued at {@code cursor}. */
    void rotate(int cursor) {
        headInHand = false;
        current.rotate(cursor);
    }

    /** Ends the slice: from here on nothing is held strongly. */
    void weaken() {
        ordinary.weaken();
        priority.weaken();
    }

    void clear() {
        ordinary.clear();
        priority.clear();
        headDone();
    }
}
