package io.holdfast.examples.sessions;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All visitors who are logged in — or so it is meant to be. */
final class SessionRegistry {
    private static final Map<String, Session> ACTIVE = new ConcurrentHashMap<>();

    private SessionRegistry() { }

    static void login(Session session) {
        ACTIVE.put(session.user(), session);
    }

    /** The bug: the session's key is the user's name, but logout removes by the session itself. Nothing is ever removed. */
    @SuppressWarnings("SuspiciousMethodCalls")
    static void logout(Session session) {
        ACTIVE.remove(session);
    }

    static int active() {
        return ACTIVE.size();
    }
}
