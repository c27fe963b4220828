package io.holdfast.junit;

import io.holdfast.HeapInspector;
import io.holdfast.agent.ConstructionWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The tests of one run that watch classes. The hook is there only while one of them runs. A thread belongs to the test that started it, or the thread
 * that started it, and so on; threads of pools that are older belong to none, and neither do threads whose test is over.
 */
final class WatchScopes {
    /** A number, not a scope: threads that outlive the test must not keep anything of it, nor of us. */
    private final InheritableThreadLocal<Long> current = new InheritableThreadLocal<>();
    private final AtomicLong tokens = new AtomicLong();
    private final List<WatchScope> active = new CopyOnWriteArrayList<>();
    private ConstructionWatch watch;
    /** Classes that carry the hook, each as often as it is watched. */
    private int hooked;

    /** A scope that has begun. {@code hooked}: its instances are heard of from their constructors; else {@code whyNot} says why. */
    record Begun(WatchScope scope, boolean hooked, String whyNot) { }

    synchronized Begun begin(List<Class<?>> types, HeapInspector inspector) {
        WatchScope scope = new WatchScope(tokens.incrementAndGet(), types);
        if (!active.isEmpty()) {
            scope.accompanied();
            active.forEach(WatchScope::accompanied);
        }
        active.add(scope);
        current.set(scope.token());
        String whyNot = hook(types, inspector);
        return new Begun(scope, whyNot == null, whyNot);
    }

    private String hook(List<Class<?>> types, HeapInspector inspector) {
        if (watch == null) {
            watch = inspector.watchConstructions(this::made).orElse(null);
        }
        if (watch == null) {
            return inspector.whyNoAgent().map(why -> "no agent: " + why).orElse("another watch of this JVM is open");
        }
        for (int i = 0; i < types.size(); i++) {
            Optional<String> refused = watch.add(types.get(i));
            if (refused.isPresent()) {
                types.subList(0, i).forEach(watch::remove);
                closeIfIdle(0);
                return refused.get();
            }
        }
        hooked += types.size();
        return null;
    }

    /** Nothing more is heard of. */
    synchronized void end(Begun begun) {
        active.remove(begun.scope());
        current.remove();
        if (begun.hooked()) {
            begun.scope().types().forEach(watch::remove);
            closeIfIdle(begun.scope().types().size());
        }
    }

    private void closeIfIdle(int gone) {
        hooked -= gone;
        if (hooked == 0) {
            watch.close();
            watch = null;
        }
    }

    /** A thread of a pool outlives the test that started it, and works for others then. */
    private Long ofRunningTest(Long token) {
        if (token != null) {
            for (WatchScope scope : active) {
                if (token.equals(scope.token())) {
                    return token;
                }
            }
        }
        return null;
    }

    /** Runs in constructors of the application. */
    private void made(Object instance) {
        try {
            Long by = ofRunningTest(current.get());
            for (WatchScope scope : active) {
                scope.made(instance, by);
            }
        } catch (Throwable e) {
            // out of memory or stack: the application has its own trouble, and must not get ours
        }
    }
}
