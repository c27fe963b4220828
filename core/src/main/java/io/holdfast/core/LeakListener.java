package io.holdfast.core;

/** Told about every change of a leak. Runs on the Holdfast thread; must be quick; a listener that throws is dropped after repeated faults. */
@FunctionalInterface
public interface LeakListener {
    void onLeak(Leak leak);
}
