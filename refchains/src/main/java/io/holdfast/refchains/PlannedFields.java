package io.holdfast.refchains;

import java.util.ArrayList;
import java.util.List;

/** Reference fields in the order of the plan: inherited ones last. Immutable. */
final class PlannedFields {
    static final PlannedFields NONE = new Builder().build();

    private final long[] offsets;
    private final String[] names;
    private final String[] declaringClasses;
    private final boolean[] mayLead;

    private PlannedFields(Builder builder) {
        int count = builder.names.size();
        offsets = new long[count];
        mayLead = new boolean[count];
        for (int i = 0; i < count; i++) {
            offsets[i] = builder.offsets.get(i);
            mayLead[i] = builder.mayLead.get(i);
        }
        names = builder.names.toArray(new String[0]);
        declaringClasses = builder.declaringClasses.toArray(new String[0]);
    }

    int count() {
        return offsets.length;
    }

    long offset(int i) {
        return offsets[i];
    }

    String name(int i) {
        return names[i];
    }

    String declaringClass(int i) {
        return declaringClasses[i];
    }

    boolean mayLead(int i) {
        return mayLead[i];
    }

    @Override
    public String toString() {
        return List.of(names).toString();
    }

    /** Collects fields. */
    static final class Builder {
        private final List<Long> offsets = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<String> declaringClasses = new ArrayList<>();
        private final List<Boolean> mayLead = new ArrayList<>();

        void add(String name, String declaringClass, long offset, boolean leads) {
            names.add(name);
            declaringClasses.add(declaringClass);
            offsets.add(offset);
            mayLead.add(leads);
        }

        PlannedFields build() {
            return new PlannedFields(this);
        }
    }
}
