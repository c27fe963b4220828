package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.List;

/** Sums the elements of the containers at one accumulation point. Holdfast thread only. */
final class ContainerProbe implements GrowthProbe {
    private final List<ProbePath> paths;
    private final ElementCount count;
    private final HeapReader reader;
    private final boolean all;

    /** With {@code all} the sum counts only as long as each of the containers is there: some of many say something together only. */
    ContainerProbe(List<ProbePath> paths, ElementCount count, HeapReader reader, boolean all) {
        this.paths = paths;
        this.count = count;
        this.reader = reader;
        this.all = all;
    }

    /** Where several containers are summed, none is stated. */
    @Override
    public long bound(long elements) {
        Object container = all || paths.size() != 1 ? null : paths.get(0).read(reader);
        return container == null ? UNBOUNDED : new StatedBound(reader).of(container, elements);
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
                readsLeft -= count.reads();
                sum += elements;
            } else if (all) {
                return GONE;
            }
        }
        return any ? sum : GONE;
    }
}
