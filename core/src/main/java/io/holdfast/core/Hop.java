package io.holdfast.core;

import java.util.Objects;

/**
 * One reference of a chain: from an object (or a class, for a static field) to the next object.
 *
 * @param holder         run-time class of the referring object; for a static field the class itself. Binary name
 * @param declaringClass class that declares the field; null for array elements and other edges without a field
 * @param kind           kind of reference
 * @param field          field name, or null
 * @param index          array index, or -1
 * @param local          name of the local variable or of the thread-local's holder field, or null
 * @param target         run-time class of the object referred to. Binary name, {@code byte[]} form for arrays
 */
public record Hop(String holder, String declaringClass, EdgeKind kind, String field, int index, String local, String target) {
    public Hop {
        Objects.requireNonNull(holder, "holder");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(target, "target");
    }

    public static Hop field(String holder, String declaringClass, String field, String target) {
        return new Hop(holder, declaringClass, EdgeKind.FIELD, field, -1, null, target);
    }

    public static Hop staticField(String declaringClass, String field, String target) {
        return new Hop(declaringClass, declaringClass, EdgeKind.STATIC_FIELD, field, -1, null, target);
    }

    public static Hop element(String holder, int index, String target) {
        return new Hop(holder, null, EdgeKind.ELEMENT, null, index, null, target);
    }

    /**
     * The step without what differs between instances: {@code declaring#field}, {@code holder[x]} or the kind's word. Numbers of
     * hidden and generated classes are left out, so that the same leak has the same signature in every run.
     */
    public String signature() {
        if (field != null) {
            return ClassNames.stable(declaringClass) + "#" + field;
        }
        return index >= 0 ? ClassNames.stable(holder) + "[x]" : ClassNames.stable(holder) + "!" + kind.word();
    }
}
