package io.holdfast.examples.neighbours;

import io.holdfast.Holdfast;
import io.holdfast.agent.SampledAllocations;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Callable;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import org.mockito.Mockito;

/**
 * Uses what other tools generate and change, under the agent, and waits until objects made there have been sampled.
 * Arguments: the simple names of the classes that must be seen.
 */
final class Neighbours {
    private static final long LIMIT_NANOS = 600_000_000_000L;
    private static final Object[] LATEST = new Object[4_096];

    private Neighbours() { }

    /** What Mockito replaces in place. */
    static final class Final {
        Object call() {
            return new Made();
        }
    }

    static final class Made {
        final long[] content = new long[20];
    }

    /** What the other agent changes. */
    static final class Work {
        private Work() { }

        static Object make(int i) {
            Object[] pair = new Object[2];
            pair[0] = new ByWork(i);
            return pair;
        }
    }

    static final class ByWork {
        final byte[] content;

        ByWork(int i) {
            content = new byte[100 + i % 7];
        }
    }

    /** Byte Buddy makes a subclass of it. */
    public static class Base {
        final int[] content = new int[30];

        public Object answer() {
            return null;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Set<String> wanted = new TreeSet<>(Set.of(arguments));
        Set<String> seen = ConcurrentHashMap.newKeySet();
        SampledAllocations sampled = null;
        Class<? extends Base> generated = new ByteBuddy().subclass(Base.class).method(ElementMatchers.named("answer")).intercept(FixedValue.value("generated"))
                .make().load(Neighbours.class.getClassLoader()).getLoaded();
        Callable<?> handle = () -> generated.getDeclaredConstructor().newInstance();
        Final mocked = Mockito.mock(Final.class, Mockito.withSettings().stubOnly()); // else it remembers every call
        Mockito.when(mocked.call()).thenReturn("mocked");
        Map<Object, Object> map = new ConcurrentHashMap<>();
        long end = System.nanoTime() + LIMIT_NANOS;
        long checksum = 0;
        for (int i = 0; System.nanoTime() < end && !seen.containsAll(wanted); i++) {
            LATEST[i & 4_095] = Work.make(i);
            LATEST[i + 1 & 4_095] = new Final().call();
            Base base = (Base) handle.call();
            checksum += base.answer().equals("generated") && (i % 1_000 != 0 || mocked.call().equals("mocked")) ? 0 : 1;
            LATEST[i + 2 & 4_095] = base;
            map.put(i, new StringBuilder().append(i).toString());
            map.remove(i - 1_000);
            if (sampled == null && Holdfast.current().isPresent()) {
                sampled = Holdfast.current().get().sampledAllocations().orElseThrow();
                sampled.interval(20_000);
                sampled.addListener((thread, object, type, size) -> {
                    String name = type.getName();
                    seen.add(name.startsWith(Base.class.getName() + "$ByteBuddy") ? "Generated" : name.substring(name.lastIndexOf('$') + 1));
                });
            }
        }
        // What is printed is sampled as well: the listener still adds to what it has seen.
        Set<String> found = new TreeSet<>(seen);
        found.retainAll(wanted);
        System.out.println("wrong answers " + checksum);
        System.out.println("seen " + found);
        Holdfast.current().ifPresent(Holdfast::close);
        System.out.println("result " + (mocked.call().equals("mocked") && Work.make(1) != null ? 42 : 0));
    }
}
