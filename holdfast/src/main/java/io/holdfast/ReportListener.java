package io.holdfast;

/** Told about every new report. Runs on the Holdfast thread; must be quick; a listener that throws is dropped after repeated faults. */
@FunctionalInterface
public interface ReportListener {
    void onReport(LeakReport report);
}
