package io.holdfast.junit;

import io.holdfast.HeapInspector;

/** The one inspector of this class loader for each way to open it, made when it is first needed: on failure, or for a watch. */
final class Inspection {
    private Inspection() { }

    static HeapInspector inspector(boolean attach) {
        return attach ? Attached.INSPECTOR : Unattached.INSPECTOR;
    }

    private static final class Attached {
        private static final HeapInspector INSPECTOR = HeapInspector.open(true);
    }

    private static final class Unattached {
        private static final HeapInspector INSPECTOR = HeapInspector.open(false);
    }
}
