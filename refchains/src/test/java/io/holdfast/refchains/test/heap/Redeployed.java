package io.holdfast.refchains.test.heap;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A class for a loader of its own, with fields of types that nothing has loaded there. */
public final class Redeployed {
    public static final Map<String, Object> TABLE = Map.of("key", "value");
    public static NeverLoaded[] unusedStatic;
    public static int number = 7;

    private final Object payload = new Object();
    private final List<String> words = List.of("word");
    private NeverLoaded unused;
    private NeverLoaded.Inner[][] unusedArray;
    private Missing missing;
    private long[] numbers = {1};
    private String text = "text";

    /** Used by {@link Redeployed}'s fields only. */
    public static final class NeverLoaded {
        /** As above. */
        public static final class Inner { }
    }

    /** A type that the tests' loader refuses to find. */
    public static final class Missing { }

    /** Fields that only other classes use: the constant pool has their names and types, but no references to them. */
    static final class Node {
        Object key;
        Object value;
        NeverLoaded unused;
        Node next;
    }

    public Supplier<Object> lambda() {
        return () -> payload;
    }

    public Object node(Object value) {
        Node node = new Node();
        node.value = value;
        node.next = new Node();
        return node;
    }

    public Object payload() {
        return payload;
    }

    public int use() {
        return words.size() + numbers.length + text.length() + (unused == null && unusedArray == null && missing == null ? 0 : 1);
    }
}
