package com.acme.shop;

import static io.holdfast.junit.HeapAssertions.assertThatHeap;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.opentest4j.AssertionFailedError;

/**
 * The same two questions again and again, with objects young and old, on a heap that is in use: one object that is gone and one that is not. Ends with
 * status 1 after the first wrong answer. Arguments: repetitions, seed.
 */
final class Repetitions {
    private static final Cleaner CLEANER = Cleaner.create();
    private final SplittableRandom random;
    private final Deque<byte[]> inUse = new ArrayDeque<>();
    private int wrong;

    private Repetitions(long seed) {
        random = new SplittableRandom(seed);
    }

    public static void main(String[] arguments) throws InterruptedException {
        int n = Integer.parseInt(arguments[0]);
        Repetitions repetitions = new Repetitions(Long.parseLong(arguments[1]));
        long start = System.nanoTime();
        for (int i = 0; i < n && repetitions.wrong == 0; i++) {
            repetitions.gone(i);
            repetitions.kept(i);
        }
        System.out.println(repetitions.wrong == 0 ? "right: " + n + " passes and " + n + " failures, " + (System.nanoTime() - start) / 1_000_000_000 + " s"
                : "WRONG");
        System.exit(repetitions.wrong == 0 ? 0 : 1);
    }

    private void gone(int i) throws InterruptedException {
        WeakReference<Session> reference = make(i, false);
        try {
            assertThatHeap().referentOf(reference).isCollectable();
        } catch (Throwable e) {
            wrong++;
            System.out.println("gone, but in repetition " + i + ": " + e);
        }
    }

    private void kept(int i) throws InterruptedException {
        WeakReference<Session> reference = make(i, true);
        String holder = switch (i % 4) {
            case 0 -> "EventBus.LISTENERS";
            case 1 -> "EventBus.BY_NAME";
            case 2 -> "thread local of thread";
            default -> "EventBus.last";
        };
        try {
            assertThatHeap().referentOf(reference).isCollectable();
            wrong++;
            System.out.println("kept, but passed in repetition " + i);
        } catch (AssertionFailedError right) {
            if (!right.getMessage().contains(holder) || !right.getMessage().contains("<- leaked")) {
                wrong++;
                System.out.println("kept by " + holder + ", but in repetition " + i + ": " + right);
            }
        } catch (Throwable e) {
            wrong++;
            System.out.println("kept, but in repetition " + i + ": " + e);
        }
        EventBus.LISTENERS.clear();
        EventBus.BY_NAME.clear();
        EventBus.CONTEXT.remove();
        EventBus.last = null;
    }

    /** In a frame of its own. Some are promoted while they live, some have a cleaner, some were last used by another thread. */
    private WeakReference<Session> make(int i, boolean keep) throws InterruptedException {
        Session session = new Session();
        int kind = random.nextInt(4);
        if (kind == 1) {
            System.gc();
        } else if (kind == 2) {
            CLEANER.register(session, () -> { });
        } else if (kind == 3) {
            Thread thread = new Thread(session.listener);
            thread.start();
            thread.join();
        }
        for (int k = random.nextInt(200); k > 0; k--) {
            inUse.addLast(new byte[random.nextInt(4_096)]);
            if (inUse.size() > 1_000) {
                inUse.removeFirst();
            }
        }
        if (keep) {
            switch (i % 4) {
                case 0 -> EventBus.LISTENERS.add(session.listener);
                case 1 -> EventBus.BY_NAME.put("key" + i, session);
                case 2 -> EventBus.CONTEXT.set(session);
                default -> EventBus.last = session;
            }
        }
        return new WeakReference<>(session);
    }
}
