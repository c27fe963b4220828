package io.holdfast.junit;

import io.holdfast.HeapInspector;
import io.holdfast.refchains.HeapCensus;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The check of {@link LeakCheck#watch} around one test. */
final class InstanceWatch {
    private static final String HEADLINE = "%s: an instance made by this test is %s after it";
    private static final int MAX_INSTANCES = WatchScope.MAX_INSTANCES;

    private final WatchScopes scopes;
    private final WatchScopes.Begun begun;
    private final Reckoning reckoning;
    /** Without the hook: instances that were there before. */
    private final List<WeakReference<Object>> before = new ArrayList<>();

    private InstanceWatch(WatchScopes scopes, WatchScopes.Begun begun, Reckoning reckoning) {
        this.scopes = scopes;
        this.begun = begun;
        this.reckoning = reckoning;
    }

    static InstanceWatch begin(WatchScopes scopes, List<Class<?>> types, Reckoning reckoning) {
        HeapInspector inspector = reckoning.inspector();
        InstanceWatch watch = new InstanceWatch(scopes, scopes.begin(types, inspector), reckoning);
        if (!watch.begun.hooked()) {
            watch.noteWhatIsThere();
        }
        return watch;
    }

    private void noteWhatIsThere() {
        try {
            begun.scope().types().forEach(type -> before.addAll(instances(type)));
        } catch (RuntimeException | Error e) { // nobody ends what has not begun
            scopes.end(begun);
            throw e;
        }
    }

    /** Stops watching without a verdict. */
    void discard() {
        scopes.end(begun);
    }

    /** @param testObjects what only these hold goes with the test */
    void check(List<?> testObjects) {
        scopes.end(begun);
        WatchScope scope = begun.scope();
        List<WeakReference<Object>> made = begun.hooked() ? new ArrayList<>(scope.own()) : foundSince();
        reckoning.allGone(made, Map.of(), testObjects, HEADLINE);
        if (scope.dropped() > 0) {
            reckoning.note(scope.dropped() + " of the watched instances were not followed: " + WatchScope.MAX_INSTANCES + " others had not been collected by then");
        }
        if (scope.ofUnknownOrigin() > 0) {
            reckoning.note(scope.ofUnknownOrigin() + " living instances were made by threads of no test while other tests watched too, and were not judged");
        }
    }

    private List<WeakReference<Object>> foundSince() {
        if (begun.scope().wasAccompanied()) {
            reckoning.abort("another test watched classes at the same time, and without the hook (" + begun.whyNot()
                    + ") instances cannot be put down to one of them. Give the test JVM the agent, or run these tests one after the other");
        }
        Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>(before.size()));
        before.forEach(reference -> known.add(reference.get()));
        List<WeakReference<Object>> found = new ArrayList<>();
        for (Class<?> type : begun.scope().types()) {
            for (WeakReference<Object> instance : instances(type)) {
                if (!known.contains(instance.get())) {
                    found.add(instance);
                }
            }
        }
        known.clear(); // an interpreted frame may still refer to it while we collect
        return found;
    }

    /** All there are: of a part nobody could say which of them are new. */
    private List<WeakReference<Object>> instances(Class<?> type) {
        HeapCensus.Instances all = reckoning.inspector().instances(type, List.of(), MAX_INSTANCES + 1);
        if (!all.complete()) {
            reckoning.abort("the heap is too large to be counted, and without the hook (" + begun.whyNot() + ") it cannot be told which instances of "
                    + type.getName() + " are new. Give the test JVM the agent or more memory");
        }
        if (all.objects().size() > MAX_INSTANCES) {
            reckoning.abort("more than " + MAX_INSTANCES + " instances of " + type.getName() + " are alive, and without the hook (" + begun.whyNot()
                    + ") it cannot be told which of them are new. Give the test JVM the agent");
        }
        return all.objects();
    }
}
