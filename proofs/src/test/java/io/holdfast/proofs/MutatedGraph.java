package io.holdfast.proofs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A graph that changes all the time in a way that depends on nothing but its seed and the number of steps taken: whoever takes the same steps without a
 * walker beside him must get the same checksum. Used by one thread.
 */
final class MutatedGraph {
    private static final int NODES = 400;

    private final Random random;
    private final Node[] ring = new Node[NODES];
    private final Map<Integer, Node> hashed = new HashMap<>();
    private final Map<Integer, Node> sorted = new TreeMap<>();
    private final Map<Integer, Object> linked = new LinkedHashMap<>();
    private final ArrayDeque<Node> queue = new ArrayDeque<>();
    private List<Node> list = new ArrayList<>();
    private int[] numbers = new int[16];
    private long steps;

    /** Redefined while it is in use. */
    static final class Node {
        int number;
        Node left;
        Node right;
        Object[] many;

        Node(int number) {
            this.number = number;
        }

        int sum() {
            return number * 31 + (left == null ? 1 : left.number) * 17 + (right == null ? 3 : right.number) + (many == null ? 0 : many.length);
        }
    }

    MutatedGraph(long seed) {
        random = new Random(seed);
        for (int i = 0; i < NODES; i++) {
            ring[i] = new Node(i);
        }
    }

    long steps() {
        return steps;
    }

    void step() {
        steps++;
        Node node = ring[random.nextInt(NODES)];
        Node other = ring[random.nextInt(NODES)];
        switch (random.nextInt(12)) {
            case 0 -> node.left = other;
            case 1 -> node.right = other;
            case 2 -> node.many = new Object[random.nextInt(9)];
            case 3 -> {
                if (node.many != null && node.many.length > 0) {
                    node.many[random.nextInt(node.many.length)] = random.nextBoolean() ? other : new Object[] {node, other};
                }
            }
            case 4 -> ring[random.nextInt(NODES)] = new Node(random.nextInt());
            case 5 -> hashed.put(random.nextInt(2_000), node);
            case 6 -> sorted.put(random.nextInt(500), node);
            case 7 -> {
                // Rehashed again and again, from empty.
                if (hashed.size() > 1_500) {
                    hashed.clear();
                }
                sorted.remove(random.nextInt(500));
            }
            case 8 -> {
                queue.add(node);
                if (queue.size() > 200) {
                    queue.poll();
                }
            }
            case 9 -> {
                list.add(node);
                if (list.size() > 300) {
                    list = new ArrayList<>(list.subList(150, 300));
                }
            }
            case 10 -> {
                linked.put(random.nextInt(100), random.nextBoolean() ? node : new int[random.nextInt(200)]);
                linked.remove(random.nextInt(100));
            }
            default -> {
                synchronized (node) {
                    // An identity hash in the middle of a lock is what inflates it.
                    numbers = random.nextInt(50) == 0 ? new int[random.nextInt(4_000) + 1] : numbers;
                    numbers[random.nextInt(numbers.length)] += node.sum();
                }
            }
        }
    }

    long checksum() {
        long sum = steps;
        for (Node node : ring) {
            sum = sum * 31 + node.sum();
        }
        for (Map<Integer, ?> map : List.of(hashed, sorted, linked)) {
            for (Map.Entry<Integer, ?> entry : map.entrySet()) {
                sum = sum * 31 + entry.getKey() + (entry.getValue() instanceof Node node ? node.sum() : ((int[]) entry.getValue()).length);
            }
        }
        for (Node node : queue) {
            sum = sum * 31 + node.sum();
        }
        for (Node node : list) {
            sum = sum * 31 + node.sum();
        }
        for (int number : numbers) {
            sum = sum * 31 + number;
        }
        return sum;
    }
}
