package com.acme.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What should not hold it. */
final class EventBus {
    static final List<Runnable> LISTENERS = new ArrayList<>();
    static final Map<String, Object> BY_NAME = new ConcurrentHashMap<>();
    static final ThreadLocal<Object> CONTEXT = new ThreadLocal<>();
    static Object last;

    private EventBus() { }
}
