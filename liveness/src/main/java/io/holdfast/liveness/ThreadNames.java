package io.holdfast.liveness;

import java.util.LinkedHashMap;
import java.util.Map;

/** Names of the threads that allocated lately, one string per thread. */
final class ThreadNames {
    static final int MAX_NAMES = 4_096;

    private final Map<Long, String> names = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MAX_NAMES;
        }
    };

    /** Notes the name, and gives it back as the one string kept for all samples of the thread; null stays null. */
    String seen(long threadId, String name) {
        String known = names.get(threadId);
        if (name == null || name.equals(known)) {
            return name == null ? null : known;
        }
        names.put(threadId, name);
        return name;
    }

    /** The thread's latest name, or its number when the name is no longer known. */
    String of(long threadId) {
        String name = names.get(threadId);
        return name == null ? "thread " + threadId : name;
    }

    int size() {
        return names.size();
    }

    void clear() {
        names.clear();
    }
}
