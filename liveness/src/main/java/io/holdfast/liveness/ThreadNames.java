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

    void seen(long threadId, String name) {
        if (name != null && !name.equals(names.get(threadId))) {
            names.put(threadId, name);
        }
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
