package io.holdfast.refchains.test;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;

/** A node of the graphs that tests build. In a package that is walked: Holdfast's own is not. */
public class Node {
    public final int number;
    public Object first;
    public Object second;
    public Object[] many;
    public SoftReference<Object> soft;
    public WeakReference<Object> weak;

    public Node(int number) {
        this.number = number;
    }

    public Node first(Object value) {
        first = value;
        return this;
    }

    public Node second(Object value) {
        second = value;
        return this;
    }

    public Node many(Object... values) {
        many = values;
        return this;
    }
}
