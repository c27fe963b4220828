package io.holdfast.refchains;

import java.util.List;

/** Reads everything, through {@link VmInternals}. Not thread-safe. */
final class TrustedHeapReader implements HeapReader {
    private final VmInternals vm;
    private final HeapMemory memory;
    private final PlanBuilder builder;
    private final String accessLevel;
    private final WeakClassTable<Plans> table = new WeakClassTable<>();

    /** What is known of a class. Names and numbers only. */
    private static final class Plans {
        ClassPlan instances;
        ClassPlan statics;
        /** Whether the plan was made before there could be instances. */
        boolean instancesProvisional;
        boolean staticsProvisional;
        NamedOffset offsets;
        /** Null until it was asked for. */
        List<BoundField> bounds;
    }

    /** Offsets that were asked for by name: a short list. */
    private record NamedOffset(String field, long offset, NamedOffset next) { }

    TrustedHeapReader(VmInternals vm, PlanBuilder builder, String accessLevel) {
        this.vm = vm;
        this.memory = vm.memory();
        this.builder = builder;
        this.accessLevel = accessLevel;
    }

    @Override
    public ClassPlan plan(Object object) {
        Class<?> type = object.getClass();
        Plans plans = table.get(type);
        return plans != null && plans.instances != null && !plans.instancesProvisional ? plans.instances : newPlan(type, true);
    }

    @Override
    public ClassPlan plan(Class<?> type) {
        Plans plans = table.get(type);
        return plans != null && plans.instances != null && !plans.instancesProvisional ? plans.instances : newPlan(type, false);
    }

    private ClassPlan newPlan(Class<?> type, boolean hasInstances) {
        Plans plans = plans(type);
        // Asking an uninitialised class for its fields would link it and so load others. It has no instances to read.
        boolean provisional = !hasInstances && !type.isArray() && !type.isPrimitive() && !vm.initialized(type);
        if (plans.instances == null || !provisional) {
            int id = plans.instances == null ? builder.takeId() : plans.instances.id();
            plans.instances = provisional ? builder.withoutInstances(id, type) : builder.instances(id, type);
            plans.instancesProvisional = provisional;
        }
        return plans.instances;
    }

    @Override
    public ClassPlan statics(Class<?> type) {
        Plans plans = plans(type);
        if (plans.statics == null || plans.staticsProvisional) {
            boolean provisional = !type.isArray() && !type.isPrimitive() && !vm.initialized(type);
            if (plans.statics == null || !provisional) {
                int id = plans.statics == null ? builder.takeId() : plans.statics.id();
                boolean none = provisional || type.isArray() || type.isPrimitive();
                plans.statics = none ? builder.withoutStatics(id, type) : builder.statics(id, type);
                plans.staticsProvisional = provisional;
            }
        }
        return plans.statics;
    }

    @Override
    public Object reference(Object base, long offset) {
        return memory.reference(base, offset);
    }

    @Override
    public int intField(Object base, long offset) {
        return memory.intAt(base, offset);
    }

    @Override
    public long longField(Object base, long offset) {
        return memory.longAt(base, offset);
    }

    @Override
    public long offsetOf(Class<?> type, String field) {
        Plans plans = plans(type);
        for (NamedOffset known = plans.offsets; known != null; known = known.next()) {
            if (known.field().equals(field)) {
                return known.offset();
            }
        }
        if (type.isArray() || type.isPrimitive() || !vm.initialized(type)) {
            return ClassPlan.NO_OFFSET;
        }
        long offset = builder.offsetOf(type, field);
        plans.offsets = new NamedOffset(field, offset, plans.offsets);
        return offset;
    }

    @Override
    public List<BoundField> boundFields(Class<?> type) {
        Plans plans = plans(type);
        if (plans.bounds == null && (type.isArray() || !vm.initialized(type))) {
            return List.of();
        }
        if (plans.bounds == null) {
            plans.bounds = builder.boundFields(type);
        }
        return plans.bounds;
    }

    @Override
    public String timeField(Class<?> type) {
        return type.isArray() || !vm.initialized(type) ? null : builder.timeField(type);
    }

    @Override
    public String accessLevel() {
        return accessLevel;
    }

    /** Classes that were met, for root lists made without an agent. */
    WeakClassTable<?> met() {
        return table;
    }

    private Plans plans(Class<?> type) {
        Plans plans = table.get(type);
        if (plans == null) {
            plans = new Plans();
            table.add(type, plans);
        }
        return plans;
    }
}
