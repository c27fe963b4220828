package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.Hop;
import io.holdfast.core.StackLocal;
import java.util.HashMap;
import java.util.Map;

/** Makes hops and their signatures, equal ones once: a list of five thousand nodes has one hop. Holds names only. Not thread-safe. */
final class HopNames {
    private final HeapReader reader;
    private final Map<Hop, Step> steps = new HashMap<>();

    /**
     * A hop and what is stable about it.
     *
     * @param signature {@link Hop#signature}
     * @param target    {@link ClassNames#stable} name of the class it leads to
     */
    record Step(Hop hop, String signature, String target) { }

    HopNames(HeapReader reader) {
        this.reader = reader;
    }

    Step step(Object base, byte kind, int edge, ClassPlan target) {
        return steps.computeIfAbsent(hop(base, kind, edge, target), h -> new Step(h, h.signature(), ClassNames.stable(h.target())));
    }

    private Hop hop(Object base, byte kind, int edge, ClassPlan target) {
        EdgeKind word = Link.edgeKind(kind);
        switch (kind) {
            case Link.ROOT_STATIC, Link.STATIC_FIELD -> {
                Class<?> type = (Class<?>) base;
                ClassPlan statics = reader.statics(type);
                EdgeKind ofClassObject = statics.declaringClass(edge).equals(PlanBuilder.CLASS) && type != Class.class ? EdgeKind.FIELD : word;
                return new Hop(ClassNames.of(type), statics.declaringClass(edge), ofClassObject, statics.field(edge), -1, null, target.className());
            }
            case Link.ROOT_STACK -> {
                StackLocal local = (StackLocal) base;
                return new Hop(local.className(), null, word, null, -1, local.variable(), target.className());
            }
            case Link.ELEMENT -> {
                return Hop.element(reader.plan(base).className(), edge, target.className());
            }
            case Link.CLASS_LOADER -> {
                String holder = base instanceof Class<?> type ? ClassNames.of(type) : reader.plan(base).className();
                return new Hop(holder, null, word, null, -1, null, target.className());
            }
            case Link.SOFT_REFERENT -> {
                return new Hop(reader.plan(base).className(), "java.lang.ref.Reference", word, "referent", -1, null, target.className());
            }
            default -> {
                ClassPlan plan = reader.plan(base);
                return new Hop(plan.className(), plan.declaringClass(edge), word, plan.field(edge), -1, null, target.className());
            }
        }
    }
}
