package com.acme.shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** All visitors who are logged in, or so it is meant to be. */
@Component
class SessionRegistry {
    private final Map<String, Session> active = new ConcurrentHashMap<>();

    void login(Session session) {
        active.put(session.user(), session);
    }

    /** The bug: sessions are kept by the name of the user, and removed by themselves. Nothing is ever removed. */
    @SuppressWarnings("SuspiciousMethodCalls")
    void logout(Session session) {
        active.remove(session);
    }

    int active() {
        return active.size();
    }
}
