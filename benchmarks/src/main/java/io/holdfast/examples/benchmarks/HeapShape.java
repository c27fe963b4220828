package io.holdfast.examples.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Heaps to walk. Each kind makes about as many objects as it is asked for and counts what it makes. In this package because the agent
 * takes the others below {@code io.holdfast} for its own.
 */
public enum HeapShape {
    /** {@code HashMap}s of 1 000 boxed numbers to small objects. */
    MAPS {
        @Override
        Object build(int objects, Count count) {
            List<Object> maps = new ArrayList<>();
            while (count.all < objects) {
                Map<Integer, Object> map = new HashMap<>();
                Item last = null;
                for (int i = 0; i < 1_000; i++) {
                    last = new Item(i, last);
                    map.put(1_000 + i, last);
                }
                maps.add(map);
                count.add(2 + 2 * 1_000, 1_000);
            }
            return maps;
        }
    },
    /** {@code ArrayList}s of 100 small objects. */
    LISTS {
        @Override
        Object build(int objects, Count count) {
            List<Object> lists = new ArrayList<>();
            while (count.all < objects) {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    list.add(new Item(i, list));
                }
                lists.add(list);
                count.add(2 + 100, 0);
            }
            return lists;
        }
    },
    /** Arrays of 1 000 strings: leaves, which the walk passes by. */
    STRINGS {
        @Override
        Object build(int objects, Count count) {
            List<Object> arrays = new ArrayList<>();
            while (count.all < objects) {
                String[] strings = new String[1_000];
                for (int i = 0; i < strings.length; i++) {
                    strings[i] = "text " + (count.all + i);
                }
                arrays.add(strings);
                count.add(0, 1 + 2 * 1_000);
            }
            return arrays;
        }
    },
    /** Linked lists of 10 000 nodes, each with an object of its own. */
    DEEP_LISTS {
        @Override
        Object build(int objects, Count count) {
            List<Object> lists = new ArrayList<>();
            while (count.all < objects) {
                Link head = null;
                for (int i = 0; i < 10_000; i++) {
                    head = new Link(head, new Item(i, null));
                }
                lists.add(head);
                count.add(2 * 10_000, 0);
            }
            return lists;
        }
    },
    /** Arrays of a million small objects. */
    WIDE_ARRAYS {
        @Override
        Object build(int objects, Count count) {
            List<Object> arrays = new ArrayList<>();
            while (count.all < objects) {
                Object[] array = new Object[Math.min(1_000_000, objects - count.all)];
                for (int i = 0; i < array.length; i++) {
                    array[i] = new Item(i, null);
                }
                arrays.add(array);
                count.add(1 + array.length, 0);
            }
            return arrays;
        }
    },
    /** A binary tree over all, and from each object a reference to any other: the collector's and the cache's worst case. */
    RANDOM_GRAPH {
        @Override
        Object build(int objects, Count count) {
            Vertex[] vertices = new Vertex[objects];
            for (int i = 0; i < objects; i++) {
                vertices[i] = new Vertex();
            }
            Random random = new Random(42);
            for (int i = 0; i < objects; i++) {
                vertices[i].cross = vertices[random.nextInt(objects)];
                vertices[i].left = 2L * i + 1 < objects ? vertices[2 * i + 1] : null;
                vertices[i].right = 2L * i + 2 < objects ? vertices[2 * i + 2] : null;
            }
            count.add(objects, 0);
            return vertices[0];
        }
    },
    /** A sixth of each. */
    MIXED {
        @Override
        Object build(int objects, Count count) {
            List<Object> parts = new ArrayList<>();
            for (HeapShape shape : values()) {
                if (shape != MIXED) {
                    Count part = new Count();
                    parts.add(shape.build(objects / (values().length - 1), part));
                    count.add(part.all - part.leaves, part.leaves);
                }
            }
            return parts;
        }
    };

    /** Objects made. */
    public static final class Count {
        private int all;
        private int leaves;

        public int all() {
            return all;
        }

        /** Of these, objects without references. */
        public int leaves() {
            return leaves;
        }

        void add(int inner, int leaf) {
            all += inner + leaf;
            leaves += leaf;
        }
    }

    /** What most objects of a program are: a number and a reference. */
    static final class Item {
        final int number;
        final Object other;

        Item(int number, Object other) {
            this.number = number;
            this.other = other;
        }
    }

    /** One node of a deep list. */
    static final class Link {
        final Link next;
        final Object content;

        Link(Link next, Object content) {
            this.next = next;
            this.content = content;
        }
    }

    /** One object of the random graph. */
    static final class Vertex {
        Vertex left;
        Vertex right;
        Vertex cross;
    }

    abstract Object build(int objects, Count count);

    /** For a table. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
