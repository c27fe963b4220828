package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.List;

/** Sums the elements of the containers at one accumulation point. Holdfast thread only. */
final class ContainerProbe implements GrowthProbe {
    private final List<ProbePath> paths;
    private final ElementCount count;
    private final HeapReader reader;
    private final boolean all;
    private final StatedBound bound;

    /** With {@code all} the sum counts only as long as each of the containers is there: some of many say something together only. */
    ContainerProbe(List<ProbePath> paths, ElementCount count, HeapReader reader, boolean all) {
        this.paths = paths;
        this.count = count;
        this.reader = reader;
        this.all = all;
        this.bound = new StatedBound(reader);
    }

    /** Where several containers are summed, none is stated. */
    @Override
    public long bound(long elements) {
        Object container = single() ? paths.get(0).read(reader) : null;
        return container == null ? UNBOUNDED : bound.of(container, elements);
    }

    private boolean single() {
        return !all && paths.size() == 1;
    }

    @Override
    public long elements() {
        long sum = 0;
        boolean any = false;
        int readsLeft = ElementCount.MAX_READS;
        for (ProbePath path : paths) {
            Object container = path.read(reader);
            if (container != null) {
                any = true;
                long elements = count.of(container, readsLeft);
                if (elements < 0) {
                    return UNKNOWN;
                }
                if (single()) {
                    bound.of(container, elements); // from the first look on: what grows with the container must be known when it is asked for
                }
                readsLeft -= count.reads();
                sum += elements;
            } else if (all) {
                return GONE;
            }
        }
        return any ? sum : GONE;
    }
}
