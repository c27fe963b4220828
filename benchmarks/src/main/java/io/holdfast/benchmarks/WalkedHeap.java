package io.holdfast.benchmarks;

/** The heap under measurement, held by a static field. */
final class WalkedHeap {
    static Object root;

    final HeapShape.Count count = new HeapShape.Count();

    private WalkedHeap() { }

    /** Builds a heap and hangs it into {@link #root}. {@code shape} null = nothing. */
    static WalkedHeap build(HeapShape shape, int objects) {
        root = null;
        WalkedHeap heap = new WalkedHeap();
        root = new Object[] {shape == null ? null : shape.build(objects, heap.count)};
        heap.count.add(1, 0);
        System.gc();
        return heap;
    }
}
