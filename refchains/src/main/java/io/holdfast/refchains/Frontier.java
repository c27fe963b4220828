package io.holdfast.refchains;

import java.lang.ref.WeakReference;

/**
 * Objects admitted but not yet walked, first in, first out. Between slices an object is held weakly; inside the slice that added it, strongly:
 * what is taken out again in the same slice never costs a reference object. Chunked, so that it grows and shrinks without copying.
 * Not thread-safe.
 */
final class Frontier {
    private static final int CHUNK = 1_024;
    /** Weak reference (48 bytes on HotSpot), slot, entry and cursor. */
    private static final int BYTES_PER_ITEM = 60;

    private Chunk first = new Chunk();
    private Chunk last = first;
    /** Where items added in this slice begin; null = none yet. */
    private Chunk strongChunk;
    private int strongFrom;
    private int head;
    private int tail;
    private long size;

    private static final class Chunk {
        final Object[] items = new Object[CHUNK];
        final int[] entries = new int[CHUNK];
        final int[] cursors = new int[CHUNK];
        Chunk next;
    }

    /** Ours, and so never an object of the application. */
    private static final class Pending extends WeakReference<Object> {
        Pending(Object referent) {
            super(referent);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    long size() {
        return size;
    }

    long bytes() {
        return (size + CHUNK) * BYTES_PER_ITEM;
    }

    void add(Object object, int entry, int cursor) {
        if (tail == CHUNK) {
            Chunk chunk = new Chunk();
            last.next = chunk;
            last = chunk;
            tail = 0;
        }
        if (strongChunk == null) {
            strongChunk = last;
            strongFrom = tail;
        }
        last.items[tail] = object;
        last.entries[tail] = entry;
        last.cursors[tail++] = cursor;
        size++;
    }

    int entry() {
        return first.entries[head];
    }

    int cursor() {
        return first.cursors[head];
    }

    /** The object at the head, or null if it has died. */
    Object object() {
        Object item = first.items[head];
        return item instanceof Pending pending ? pending.get() : item;
    }

    /** Remembers how far the head has been walked. */
    void moveCursor(int cursor) {
        first.cursors[head] = cursor;
    }

    /** Takes the head out. */
    void remove() {
        first.items[head++] = null;
        size--;
        if (size == 0) {
            first = last;
            strongChunk = null;
            head = 0;
            tail = 0;
        } else if (head == CHUNK) {
            if (strongChunk == first) {
                strongChunk = first.next;
                strongFrom = 0;
            }
            first = first.next;
            head = 0;
        }
    }

    /** Puts the head at the end, to be continued at {@code cursor}. */
    void rotate(int cursor) {
        Object item = first.items[head];
        int entry = entry();
        if (item instanceof Pending pending) {
            item = pending.get();
        }
        remove();
        if (item != null) {
            add(item, entry, cursor);
        }
    }

    /** Ends the slice: from here on nothing is held strongly. */
    void weaken() {
        for (Chunk chunk = strongChunk; chunk != null; chunk = chunk.next) {
            int from = chunk == strongChunk ? strongFrom : 0;
            if (chunk == first) {
                from = Math.max(from, head);
            }
            int to = chunk == last ? tail : CHUNK;
            for (int i = from; i < to; i++) {
                chunk.items[i] = new Pending(chunk.items[i]);
            }
        }
        strongChunk = null;
    }

    void clear() {
        first = new Chunk();
        last = first;
        strongChunk = null;
        head = 0;
        tail = 0;
        size = 0;
    }
}
