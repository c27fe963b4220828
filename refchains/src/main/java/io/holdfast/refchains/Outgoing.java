package io.holdfast.refchains;

import io.holdfast.core.StackLocal;

/**
 * Reads the references that leave an object, in a fixed order, from any position on. Positions are fields or elements; for a thread its
 * thread-locals come first. Neither calls a method of the object nor reads the referent of a reference object.
 */
final class Outgoing {
    /** Nothing is left. */
    static final int DONE = -1;
    private static final String THREAD = "java.lang.Thread";

    private final HeapReader reader;

    Outgoing(HeapReader reader) {
        this.reader = reader;
    }

    /** Visits at most {@code limit} positions from {@code from} on. Returns where to go on, or {@link #DONE}. */
    int visit(Object object, ClassPlan plan, int from, int limit, EdgeVisitor visitor) {
        if (object instanceof Object[] array) {
            return elements(array, plan, from, limit, visitor);
        }
        return switch (plan.shape()) {
            case CLASS -> statics((Class<?>) object, from, visitor);
            case THREAD -> thread(object, plan, from, visitor);
            case OWN -> DONE;
            default -> fields(object, plan, from, visitor);
        };
    }

    private int fields(Object object, ClassPlan plan, int from, EdgeVisitor visitor) {
        int count = plan.fieldCount();
        boolean all = visitor.readsLeafFields();
        for (int i = from; i < count; i++) {
            if (!all && !plan.mayLead(i)) {
                continue;
            }
            Object child = reader.reference(object, plan.offset(i));
            visitor.read();
            if (child != null) {
                EdgeVisitor.Then then = visitor.edge(child, Link.FIELD, i);
                if (then != EdgeVisitor.Then.GO_ON) {
                    return then == EdgeVisitor.Then.STOP_BEFORE_THIS ? i : i + 1;
                }
            }
        }
        return loader(object.getClass(), plan, count, visitor);
    }

    private int elements(Object[] array, ClassPlan plan, int from, int limit, EdgeVisitor visitor) {
        int to = (int) Math.min(array.length, (long) from + limit);
        for (int i = from; i < to; i++) {
            Object child = array[i];
            visitor.read();
            if (child != null) {
                EdgeVisitor.Then then = visitor.edge(child, Link.ELEMENT, i);
                if (then != EdgeVisitor.Then.GO_ON) {
                    return then == EdgeVisitor.Then.STOP_BEFORE_THIS ? i : i + 1;
                }
            }
        }
        return to < array.length ? to : loader(array.getClass(), plan, to, visitor);
    }

    /** First the thread-locals, then a second round for all other fields. */
    private int thread(Object thread, ClassPlan plan, int from, EdgeVisitor visitor) {
        int count = plan.fieldCount();
        for (int position = from; position < 2 * count; position++) {
            int i = position % count;
            byte kind = threadField(plan, i);
            if (kind != Link.FIELD != position < count) {
                continue;
            }
            Object child = reader.reference(thread, plan.offset(i));
            visitor.read();
            if (child != null) {
                EdgeVisitor.Then then = visitor.edge(child, kind, i);
                if (then != EdgeVisitor.Then.GO_ON) {
                    return then == EdgeVisitor.Then.STOP_BEFORE_THIS ? position : position + 1;
                }
            }
        }
        return loader(thread.getClass(), plan, 2 * count, visitor);
    }

    static byte threadField(ClassPlan plan, int i) {
        if (THREAD.equals(plan.declaringClass(i))) {
            if (plan.field(i).equals("threadLocals")) {
                return Link.THREAD_LOCAL;
            }
            if (plan.field(i).equals("inheritableThreadLocals")) {
                return Link.INHERITABLE_THREAD_LOCAL;
            }
        }
        return Link.FIELD;
    }

    private int statics(Class<?> type, int from, EdgeVisitor visitor) {
        ClassPlan plan = reader.statics(type);
        int count = plan.fieldCount();
        for (int i = from; i < count; i++) {
            Object child = reader.reference(type, plan.offset(i));
            visitor.read();
            if (child != null) {
                EdgeVisitor.Then then = visitor.edge(child, Link.STATIC_FIELD, i);
                if (then != EdgeVisitor.Then.GO_ON) {
                    return then == EdgeVisitor.Then.STOP_BEFORE_THIS ? i : i + 1;
                }
            }
        }
        ClassLoader loader = type.getClassLoader();
        return loader != null && visitor.edge(loader, Link.CLASS_LOADER, 0) == EdgeVisitor.Then.STOP_BEFORE_THIS ? count : DONE;
    }

    private static int loader(Class<?> type, ClassPlan plan, int position, EdgeVisitor visitor) {
        if (plan.customLoader() && visitor.wantsLoaderOf(plan)) {
            ClassLoader loader = type.getClassLoader();
            if (loader != null && visitor.edge(loader, Link.CLASS_LOADER, 0) == EdgeVisitor.Then.STOP_BEFORE_THIS) {
                return position;
            }
        }
        return DONE;
    }

    /** Reads one reference again. Returns null when it is not there (any more). */
    Object reread(Object base, byte kind, int edge) {
        return switch (kind) {
            case Link.FIELD, Link.THREAD_LOCAL, Link.INHERITABLE_THREAD_LOCAL -> {
                ClassPlan plan = reader.plan(base);
                yield edge < plan.fieldCount() ? reader.reference(base, plan.offset(edge)) : null;
            }
            case Link.ELEMENT -> base instanceof Object[] array && edge < array.length ? array[edge] : null;
            case Link.STATIC_FIELD, Link.ROOT_STATIC -> {
                if (!(base instanceof Class<?> type)) {
                    yield null;
                }
                ClassPlan plan = reader.statics(type);
                yield edge < plan.fieldCount() ? reader.reference(type, plan.offset(edge)) : null;
            }
            case Link.ROOT_STACK -> base instanceof StackLocal local ? local.object() : null;
            case Link.CLASS_LOADER -> base instanceof Class<?> type ? type.getClassLoader() : base.getClass().getClassLoader();
            case Link.SOFT_REFERENT -> softReferent(base);
            default -> base;
        };
    }

    /** The referent of a soft reference, read without refreshing its time stamp; null for anything else. */
    Object softReferent(Object base) {
        long offset = reader.plan(base).referentOffset();
        return offset == ClassPlan.NO_OFFSET ? null : reader.reference(base, offset);
    }
}
