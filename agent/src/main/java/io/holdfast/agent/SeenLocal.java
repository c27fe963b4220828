package io.holdfast.agent;

import io.holdfast.core.StackLocal;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;

/** One local that held one object, over several looks of its thread. Holdfast thread only. */
final class SeenLocal implements StackLocal {
    /** How long a look counts. A frame may have ended since; a thread that allocates looks again within a second or two. */
    static final long CURRENT_NANOS = 10_000_000_000L;

    private final WeakReference<Object> object;
    private final WeakReference<Thread> thread;
    private final WeakReference<Class<?>> type;
    private final String descriptor;
    private final int slot;
    private final Ticker ticker;
    private final VariableNames names;
    /** Brings in the looks that wait to be taken. */
    private final Runnable collect;
    private String threadName;
    private StackTraceElement element;
    private int index;
    private int height;
    private long lastNanos;
    private int looks;
    /** What the class file says about the frame as it was when asked; null before. */
    private VariableNames.Found found;

    SeenLocal(CapturedStack stack, CapturedFrame frame, int position, Ticker ticker, VariableNames names, Runnable collect) {
        this.object = frame.objects()[position];
        this.thread = stack.thread();
        this.type = frame.type();
        this.descriptor = frame.descriptor();
        this.slot = frame.slots()[position];
        this.ticker = ticker;
        this.names = names;
        this.collect = collect;
        seen(stack, frame);
    }

    void seen(CapturedStack stack, CapturedFrame frame) {
        threadName = stack.threadName();
        element = frame.element();
        index = frame.index();
        height = stack.depth() - frame.depth();
        lastNanos = stack.nanos();
        looks++;
    }

    /** Whether it was seen at two moments at least. */
    boolean confirmed() {
        return looks > 1;
    }

    long lastNanos() {
        return lastNanos;
    }

    /** 1 for the outermost frame. */
    int height() {
        return height;
    }

    @Override
    public Object object() {
        return object.get();
    }

    @Override
    public boolean current() {
        collect.run();
        return recent();
    }

    /** The same, by what has been taken so far. */
    boolean recent() {
        Thread owner = thread.get();
        return owner != null && owner.isAlive() && object.get() != null && ticker.nanos() - lastNanos <= CURRENT_NANOS;
    }

    @Override
    public String className() {
        return element.getClassName();
    }

    @Override
    public String methodName() {
        return element.getMethodName();
    }

    @Override
    public String frame() {
        boolean told = element.getLineNumber() >= 0;
        return new StackTraceElement(element.getClassName(), element.getMethodName(), told ? element.getFileName() : found().sourceFile(),
                told ? element.getLineNumber() : found().line()).toString();
    }

    @Override
    public String variable() {
        return found().name();
    }

    private VariableNames.Found found() {
        if (found == null) {
            Class<?> owner = type.get();
            found = owner == null ? VariableNames.Found.NOTHING
                    : names.find(owner, element.getMethodName(), descriptor, slot, index, element.getLineNumber());
        }
        return found;
    }

    @Override
    public String threadName() {
        return threadName;
    }
}
