package io.holdfast.core;

import java.util.List;
import java.util.Set;

/**
 * Locals of running methods, as the threads that run them have told: the only stack roots Java can see. All methods are called on the Holdfast thread,
 * take microseconds and throw nothing.
 */
public interface StackLocals {
    /** Threads that are asked at the same time, at the most. */
    int MAX_THREADS = 16;

    /** Where threads are not asked. */
    StackLocals NONE = new StackLocals() {
        @Override
        public void want(Set<Long> threadIds) {
            // nobody is asked
        }

        @Override
        public boolean settled() {
            return true;
        }

        @Override
        public List<StackLocal> confirmed() {
            return List.of();
        }
    };

    /**
     * From now on these threads, by id, look at their frames now and then when they allocate, and as far as that leaves places others that happen to; nobody does if the
     * set is empty. More than 16: some of them.
     * To be called again and again while they are wanted: a look is kept only until the thread's next one.
     */
    void want(Set<Long> threadIds);

    /** Whether waiting is of no use: each thread wanted has told enough, or has had the time to, and others have had some to come by. */
    boolean settled();

    /** Locals that held their object at two moments at least, and are {@link StackLocal#current}; those of the outermost frames first. */
    List<StackLocal> confirmed();
}
