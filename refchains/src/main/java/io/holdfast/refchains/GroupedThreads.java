package io.holdfast.refchains;

/** Lists threads by their groups: all that is allowed without a trusted lookup. */
final class GroupedThreads implements ThreadListing {
    private static final int SLACK = 16;

    @Override
    public Thread[] threads() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top != null && top.getParent() != null) {
            top = top.getParent();
        }
        if (top == null) {
            return new Thread[0];
        }
        // The number is an estimate, and what does not fit is dropped in silence: so ask again with more room.
        for (int room = top.activeCount() + SLACK; ; room *= 2) {
            Thread[] threads = new Thread[room];
            if (top.enumerate(threads, true) < room) {
                return threads;
            }
        }
    }
}
