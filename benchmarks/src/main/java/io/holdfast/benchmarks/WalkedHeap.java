package io.holdfast.benchmarks;

/**
 * The heap under measurement, held by a static field, with the sought object where a breadth-first walk comes last: at the end of a list that is longer
 * than every other path, so that a search for it meets everything else first and ends there.
 */
final class WalkedHeap {
    /** Longer than any list of {@link HeapShape#DEEP_LISTS}. */
    private static final int LAST = 11_000;

    static Object root;

    final HeapShape.Count count = new HeapShape.Count();
    final Object sought = new Sought();

    private WalkedHeap() { }

    /** What the search looks for. */
    static final class Sought {
        Object itself = this;
    }

    /** A class of its own, so that no node shares its key in the walker's table with a node of the heap. */
    private static final class Last {
        final Last next;
        final Object content;

        Last(Last next, Object content) {
            this.next = next;
            this.content = content;
        }
    }

    /** Builds a heap and hangs it into {@link #root}. {@code shape} null = nothing but the list. */
    static WalkedHeap build(HeapShape shape, int objects) {
        WalkedHeap heap = new WalkedHeap();
        Last last = new Last(null, heap.sought);
        for (int i = 1; i < LAST; i++) {
            last = new Last(last, null);
        }
        Object graph = shape == null ? null : shape.build(objects, heap.count);
        root = new Object[] {graph, last};
        heap.count.add(2 + LAST, 0);
        System.gc();
        return heap;
    }
}
