package io.holdfast.core;

import java.util.List;
import java.util.Objects;

/**
 * The place where instances pile up.
 *
 * @param holder         {@code com.acme.Registry#ACTIVE}: the nearest field above the container that is not a collection's own
 * @param containerClass class of the container
 * @param ownerClass     class of the elements: the key or value, never the collection's node
 * @param timeField      field in which each element states a time, by which it may be taken out again; null if none is known
 * @param share          share of the sought instances that hang below, 0..1
 * @param signature      stable path from the root kind to the container; equal for candidates that are one leak
 * @param probe          follows the number of elements
 * @param inner          places further down where each of many containers holds a part of the instances (a list per session): where they pile up if the
 *                       container itself does not grow; outermost first, themselves without inner ones
 * @param outer          places further up from which several containers branch that each hold a part of the instances: what leaks may be something large that
 *                       holds many of them (a session, a class loader), and there is where it piles up; themselves without inner and outer ones
 */
public record Accumulation(String holder, String containerClass, String ownerClass, String timeField, double share, String signature,
                           GrowthProbe probe, List<Accumulation> inner, List<Accumulation> outer) {
    public Accumulation {
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(containerClass, "containerClass");
        Objects.requireNonNull(ownerClass, "ownerClass");
        Objects.requireNonNull(signature, "signature");
        Objects.requireNonNull(probe, "probe");
        inner = List.copyOf(inner);
        outer = List.copyOf(outer);
    }

    /** A place without inner and outer ones, whose elements state no time. */
    public Accumulation(String holder, String containerClass, String ownerClass, double share, String signature, GrowthProbe probe) {
        this(holder, containerClass, ownerClass, null, share, signature, probe, List.of(), List.of());
    }

    /** The same place with other inner ones. */
    public Accumulation with(List<Accumulation> innerPlaces) {
        return new Accumulation(holder, containerClass, ownerClass, timeField, share, signature, probe, innerPlaces, outer);
    }

    /** The same place with other outer ones. */
    public Accumulation below(List<Accumulation> outerPlaces) {
        return new Accumulation(holder, containerClass, ownerClass, timeField, share, signature, probe, inner, outerPlaces);
    }
}
