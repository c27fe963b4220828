package io.holdfast.refchains;

import java.lang.reflect.Field;
import java.util.List;

/**
 * Reads what reflection may: open packages. Reflection initialises a class when a static field is read, so statics are read only of classes that are
 * known to be initialised because an instance was met. Not thread-safe.
 */
final class PlainHeapReader implements HeapReader {
    static final String ACCESS_LEVEL = "plain";

    private final PlainFields fields;
    private final PlanBuilder builder;
    private final WeakClassTable<Plans> table = new WeakClassTable<>();

    private static final class Plans {
        ClassPlan instances;
        ClassPlan statics;
        boolean initialized;
        boolean staticsProvisional;
        /** Null until it was asked for. */
        List<BoundField> bounds;
    }

    PlainHeapReader(PlainFields fields, PlanBuilder builder) {
        this.fields = fields;
        this.builder = builder;
    }

    @Override
    public ClassPlan plan(Class<?> type) {
        Plans plans = plans(type);
        if (plans.instances == null) {
            plans.instances = builder.instances(builder.takeId(), type);
        }
        return plans.instances;
    }

    @Override
    public ClassPlan plan(Object object) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            Plans plans = plans(type);
            if (plans.initialized) {
                break;
            }
            plans.initialized = true;
        }
        return plan(object.getClass());
    }

    @Override
    public ClassPlan statics(Class<?> type) {
        Plans plans = plans(type);
        if (plans.statics == null || plans.staticsProvisional && plans.initialized) {
            int id = plans.statics == null ? builder.takeId() : plans.statics.id();
            boolean none = type.isArray() || type.isPrimitive();
            plans.statics = none || !plans.initialized ? builder.withoutStatics(id, type) : builder.statics(id, type);
            plans.staticsProvisional = !none && !plans.initialized;
        }
        return plans.statics;
    }

    @Override
    public Object reference(Object base, long offset) {
        try {
            Field field = fields.at(base, offset);
            return field == null ? null : field.get(base);
        } catch (IllegalAccessException refused) {
            return null;
        }
    }

    @Override
    public int intField(Object base, long offset) {
        try {
            return fields.at(base, offset).getInt(base);
        } catch (IllegalAccessException refused) {
            throw new IllegalStateException(refused);
        }
    }

    @Override
    public long longField(Object base, long offset) {
        try {
            return fields.at(base, offset).getLong(base);
        } catch (IllegalAccessException refused) {
            throw new IllegalStateException(refused);
        }
    }

    @Override
    public long offsetOf(Class<?> type, String field) {
        return builder.offsetOf(type, field);
    }

    @Override
    public List<BoundField> boundFields(Class<?> type) {
        Plans plans = plans(type);
        if (plans.bounds == null) {
            plans.bounds = builder.boundFields(type);
        }
        return plans.bounds;
    }

    @Override
    public String timeField(Class<?> type) {
        return builder.timeField(type);
    }

    @Override
    public String accessLevel() {
        return ACCESS_LEVEL;
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
