package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.List;

/** Sums the elements of the containers at one accumulation point. Holdfast thread only. */
final class ContainerProbe implements GrowthProbe {
    private final List<Place> places;
    private final ElementCount count;
    private final HeapReader reader;
    private final boolean all;

    /** One of the containers: the way to it, and the bound it states. */
    private static final class Place {
        private final ProbePath path;
        private final StatedBound stated;
        /** What it stated at the last look; 0 where it was gone then and others were not. */
        private long bound = UNBOUNDED;

        Place(ProbePath path, HeapReader reader) {
            this.path = path;
            this.stated = new StatedBound(reader);
        }
    }

    /** With {@code all} the sum counts only as long as each of the containers is there: some of many say something together only. */
    ContainerProbe(List<ProbePath> paths, ElementCount count, HeapReader reader, boolean all) {
        this.places = paths.stream().map(path -> new Place(path, reader)).toList();
        this.count = count;
        this.reader = reader;
        this.all = all;
    }

    /** The sum of what the containers state; none if one of them states nothing, or has passed it. */
    @Override
    public long bound() {
        long sum = 0;
        for (Place place : places) {
            sum = place.bound == UNBOUNDED || sum == UNBOUNDED ? UNBOUNDED : sum + place.bound;
        }
        return sum;
    }

    @Override
    public long elements() {
        long sum = 0;
        boolean any = false;
        int readsLeft = ElementCount.MAX_READS;
        for (Place place : places) {
            Object container = place.path.read(reader);
            place.bound = 0;
            if (container != null) {
                any = true;
                long elements = count.of(container, readsLeft);
                if (elements < 0) {
                    return unbounded(UNKNOWN);
                }
                // From the first look on: what grows with the container must be known when it is asked for.
                place.bound = place.stated.of(container, place.path.holder(reader), elements);
                readsLeft -= count.reads();
                sum += elements;
            } else if (all) {
                return unbounded(GONE);
            }
        }
        return any ? sum : unbounded(GONE);
    }

    private long unbounded(long why) {
        places.forEach(place -> place.bound = UNBOUNDED);
        return why;
    }
}
