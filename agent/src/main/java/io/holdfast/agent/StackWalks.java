package io.holdfast.agent;

import io.holdfast.core.Counters;
import io.holdfast.core.StackLocal;
import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stack roots, told by the threads themselves: a thread that is wanted looks at its own frames when the allocation hook takes a sample on it, at most
 * twice a second. Nobody else can see a thread's locals, so a thread that allocates nothing at a hooked site is never seen. Besides those named, the main thread and
 * others that come by are asked while there are places.
 *
 * <p>Nothing of the application is held strongly. At most {@value SeenLocals#MAX} locals are remembered. All methods belong to the Holdfast thread.
 */
public final class StackWalks implements StackLocals {
    static final String LOOKS = "agent.stacks.looks";
    static final String LOOK_NANOS = "agent.stacks.look_nanos";
    /** Locals handed to the walk, summed over its questions. */
    static final String CONFIRMED = "agent.stacks.locals.confirmed";
    static final String FAULTS = "agent.stacks.faults";
    /** How long a thread is waited for. */
    static final long SETTLE_NANOS = 10_000_000_000L;
    /** How long others than those named have to come by, and to look twice. */
    static final long COME_BY_NANOS = 3_000_000_000L;
    private static final int LOOKS_NEEDED = 2;
    private static final long FIRST_THREAD = 1;
    private static final Logger LOG = LoggerFactory.getLogger(StackWalks.class);

    private final StackRequests requests;
    private final SeenLocals seen;
    private final Ticker ticker;
    private final Counters counters;
    private Set<Long> named = Set.of();
    /** Looks by thread since it has been wanted: of those named, and of those that have come by. */
    private Map<Long, Integer> looks = new HashMap<>();
    private long wantedSinceNanos;
    private boolean faultTold;

    StackWalks(StackRequests requests, VariableNames names, Ticker ticker, Counters counters) {
        this.requests = requests;
        this.seen = new SeenLocals(ticker, names, counters, this::collect);
        this.ticker = ticker;
        this.counters = counters;
    }

    /**
     * Takes every step of a look once, so that no class is loaded and no call linked on a thread of the application.
     *
     * @param trusted the trusted lookup
     * @throws IllegalStateException when this JVM does not show live frames; the message is one line
     */
    public static StackWalks open(MethodHandles.Lookup trusted, Ticker ticker, Counters counters) {
        LiveFrames frames = LiveFrames.open(trusted, new ApplicationFrames());
        warmUp(frames, ticker);
        StackRequests requests = new StackRequests(frames, mainThread(trusted), ticker, counters.counter(LOOKS), counters.counter(LOOK_NANOS), counters.counter(FAULTS));
        return new StackWalks(requests, new VariableNames(new ClassFiles(), counters), ticker, counters);
    }

    private static void warmUp(LiveFrames frames, Ticker ticker) {
        Counters forgotten = new Counters();
        StackRequests requests = new StackRequests(frames.wanting(type -> true), FIRST_THREAD, ticker, forgotten.counter(LOOKS), forgotten.counter(LOOK_NANOS),
                forgotten.counter(FAULTS));
        long self = Thread.currentThread().getId();
        requests.want(Set.of(-self)); // so that this one comes by and takes a place
        requests.hit(self, "");
        new ApplicationFrames().test(StackWalks.class);
        if (requests.fault() != null || requests.take().isEmpty()) {
            throw new IllegalStateException("Live stack frames cannot be read in this JVM: " + requests.fault());
        }
    }

    /** The number of the thread that runs {@code main}: JDK 25 says which, before it was the first. */
    static long mainThread(MethodHandles.Lookup trusted) {
        try {
            return (long) trusted.findStaticGetter(Thread.class, "PRIMORDIAL_TID", long.class).invoke();
        } catch (Throwable unknown) {
            return FIRST_THREAD;
        }
    }

    /** What the hook calls. */
    StackRequests requests() {
        return requests;
    }

    @Override
    public void want(Set<Long> threadIds) {
        collect();
        if (threadIds.equals(named)) {
            return;
        }
        Map<Long, Integer> next = new HashMap<>();
        for (Long id : threadIds) {
            if (next.size() < MAX_THREADS) {
                next.put(id, looks.getOrDefault(id, 0));
            }
        }
        if (!looks.keySet().containsAll(next.keySet())) {
            wantedSinceNanos = ticker.nanos();
        }
        named = Set.copyOf(threadIds);
        looks = next;
        requests.want(next.keySet());
    }

    @Override
    public boolean settled() {
        collect();
        long waitedNanos = ticker.nanos() - wantedSinceNanos;
        return requests.fault() != null || waitedNanos >= SETTLE_NANOS
                || named.stream().allMatch(id -> looks.getOrDefault(id, 0) >= LOOKS_NEEDED) && (requests.full() || waitedNanos >= COME_BY_NANOS);
    }

    @Override
    public List<StackLocal> confirmed() {
        collect();
        List<StackLocal> confirmed = seen.confirmed();
        counters.add(CONFIRMED, confirmed.size());
        return confirmed;
    }

    private void collect() {
        for (CapturedStack stack : requests.take()) {
            looks.merge(stack.threadId(), 1, Integer::sum);
            seen.add(stack);
        }
        seen.forgetOld();
        if (requests.fault() != null && !faultTold) {
            faultTold = true;
            LOG.warn("Holdfast: stack frames are no longer looked at ({}). Everything else works.", requests.fault().toString());
        }
    }
}
