package io.holdfast.agent;

import io.holdfast.core.Counters;
import io.holdfast.core.StackLocal;
import io.holdfast.core.Ticker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** What threads have seen in their frames, look by look: the same variable of the same method with the same object is one. Holdfast thread only. */
final class SeenLocals {
    /** All that the threads asked can show at one look. */
    static final int MAX = StackRequests.PLACES * LiveFrames.MAX_LOCALS;
    static final String DROPPED = "agent.stacks.locals.dropped";
    private static final long FORGET_NANOS = 60_000_000_000L;

    private final Map<Key, List<SeenLocal>> seen = new HashMap<>();
    private final Ticker ticker;
    private final VariableNames names;
    private final Counters counters;
    private final Runnable collect;
    private int size;

    private record Key(long threadId, String className, String method, String descriptor, int slot, int identity) { }

    /** @param collect run before a local is asked whether it is current: hands on what threads have seen since */
    SeenLocals(Ticker ticker, VariableNames names, Counters counters, Runnable collect) {
        this.collect = collect;
        this.ticker = ticker;
        this.names = names;
        this.counters = counters;
    }

    void add(CapturedStack stack) {
        counters.add(DROPPED, stack.dropped());
        // From the outermost frame inwards: a recursive method is as high up as its first frame.
        for (int f = stack.frames().size() - 1; f >= 0; f--) {
            CapturedFrame frame = stack.frames().get(f);
            for (int i = 0; i < frame.slots().length; i++) {
                Object object = frame.objects()[i].get();
                if (object != null) {
                    add(stack, frame, i, object);
                }
            }
        }
    }

    private void add(CapturedStack stack, CapturedFrame frame, int position, Object object) {
        StackTraceElement element = frame.element();
        Key key = new Key(stack.threadId(), element.getClassName(), element.getMethodName(), frame.descriptor(), frame.slots()[position],
                System.identityHashCode(object));
        for (SeenLocal known : seen.getOrDefault(key, List.of())) {
            if (known.object() == object) {
                // Once a look: in a recursion the outermost frame that holds it counts.
                if (known.lastNanos() != stack.nanos()) {
                    known.seen(stack, frame);
                }
                return;
            }
        }
        if (size == MAX) {
            forget(0);
        }
        if (size == MAX) {
            counters.increment(DROPPED);
            return;
        }
        seen.computeIfAbsent(key, k -> new ArrayList<>(1)).add(new SeenLocal(stack, frame, position, ticker, names, collect));
        size++;
    }

    /** Drops what is dead, what was not seen for a minute, and what was seen once only and longer ago than that. */
    private void forget(long keepOnceNanos) {
        long now = ticker.nanos();
        for (Iterator<List<SeenLocal>> lists = seen.values().iterator(); lists.hasNext();) {
            List<SeenLocal> list = lists.next();
            int before = list.size();
            list.removeIf(local -> local.object() == null || now - local.lastNanos() > (local.confirmed() ? FORGET_NANOS : keepOnceNanos));
            size -= before - list.size();
            if (list.isEmpty()) {
                lists.remove();
            }
        }
    }

    /** Drops what is dead or was not seen for a minute. */
    void forgetOld() {
        forget(FORGET_NANOS);
    }

    int size() {
        return size;
    }

    /** See {@link io.holdfast.core.StackLocals#confirmed}. */
    List<StackLocal> confirmed() {
        List<SeenLocal> confirmed = new ArrayList<>();
        for (List<SeenLocal> list : seen.values()) {
            for (SeenLocal local : list) {
                if (local.confirmed() && local.recent()) {
                    confirmed.add(local);
                }
            }
        }
        confirmed.sort(Comparator.comparingInt(SeenLocal::height));
        return List.copyOf(confirmed);
    }
}
