package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.List;

/** Sums the elements of the containers at one accumulation point. Holdfast thread only. */
final class ContainerProbe implements GrowthProbe {
    private final List<ProbePath> paths;
    private final ElementCount count;

    ContainerProbe(List<ProbePath> paths, ElementCount count) {
        this.paths = paths;
        this.count = count;
    }

    @Override
    public long elements() {
        long sum = 0;
        boolean any = false;
        for (ProbePath path : paths) {
            Object container = count.containerAt(path);
            if (container != null) {
                any = true;
                sum += count.of(container);
            }
        }
        return any ? sum : -1;
    }
}
