package io.holdfast.refchains.test;

import java.util.AbstractCollection;
import java.util.Arrays;
import java.util.Iterator;

/** Gets a larger table each time it is that full, like the maps of fastutil, Netty and Eclipse Collections. */
public final class Table extends AbstractCollection<Object> {
    private Object[] slots = new Object[16];
    private int maxFill = 12;
    private int size;

    @Override
    public boolean add(Object element) {
        if (size == maxFill) {
            slots = Arrays.copyOf(slots, 2 * slots.length);
            maxFill *= 2;
        }
        slots[size++] = element;
        return true;
    }

    @Override
    public Iterator<Object> iterator() {
        return Arrays.asList(slots).subList(0, size).iterator();
    }

    @Override
    public int size() {
        return size;
    }
}
