package io.holdfast.refchains;

import io.holdfast.core.Counters;
import java.util.List;
import java.util.TreeSet;

/** Packages that reflection was refused. Bounded by the number of packages; not thread-safe. */
final class ClosedPackages {
    static final String CLOSED = "refchains.packages.closed";

    private final TreeSet<String> names = new TreeSet<>();
    private final Counters counters;

    ClosedPackages(Counters counters) {
        this.counters = counters;
    }

    void add(Class<?> type) {
        String module = type.getModule().getName();
        String name = module == null ? type.getPackageName() : module + "/" + type.getPackageName();
        if (names.add(name)) {
            counters.increment(CLOSED);
        }
    }

    List<String> names() {
        return List.copyOf(names);
    }
}
