package hosts;

import com.google.monitoring.runtime.instrumentation.AllocationRecorder;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import one.profiler.AsyncProfiler;

/** The other tools, started by the program itself when the system property {@code tool} says so; its own flags (an agent) are on the command line. */
final class Tools {
    private static final long INTERVAL = 512 * 1024;

    private Tools() { }

    static void start() throws Exception {
        switch (System.getProperty("tool", "none")) {
            case "async" -> AsyncProfiler.getInstance().execute("start,event=alloc,alloc=512k,interval=512k");
            case "async-live" -> AsyncProfiler.getInstance().execute("start,event=alloc,alloc=512k,interval=512k,live");
            case "instrumenter" -> instrumenter();
            default -> { }
        }
    }

    /** It has no sampling of its own: every allocation comes, and each 512 KiB one is stored as a callback that stores would. */
    private static void instrumenter() {
        AtomicLong left = new AtomicLong(INTERVAL);
        WeakReference<?>[] stored = new WeakReference<?>[1_024];
        Throwable[] stacks = new Throwable[1_024];
        AtomicLong samples = new AtomicLong();
        AllocationRecorder.addSampler((count, description, object, size) -> {
            if (left.addAndGet(-size) < 0) {
                left.set(INTERVAL);
                int slot = (int) samples.incrementAndGet() & 1_023;
                stored[slot] = new WeakReference<>(object);
                stacks[slot] = new Throwable();
            }
        });
    }
}
