package io.holdfast.examples.benchmarks;

/** The heap under measurement, held by a static field. */
public final class WalkedHeap {
    private static Object root;

    private final HeapShape.Count count = new HeapShape.Count();

    private WalkedHeap() { }

    /** Builds a heap in the place of the one before. {@code shape} null = nothing. */
    public static WalkedHeap build(HeapShape shape, int objects) {
        root = null;
        WalkedHeap heap = new WalkedHeap();
        root = new Object[] {shape == null ? null : shape.build(objects, heap.count)};
        heap.count.add(1, 0);
        System.gc();
        return heap;
    }

    /** What holds the heap built last. */
    public static Object root() {
        return root;
    }

    public HeapShape.Count count() {
        return count;
    }
}
