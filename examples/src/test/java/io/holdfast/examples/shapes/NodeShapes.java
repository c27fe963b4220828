package io.holdfast.examples.shapes;

import java.util.ArrayList;
import java.util.List;

/** Own structures of nodes. */
final class NodeShapes {
    private static final String P = "io.holdfast.examples.shapes.NodeShapes$";

    private NodeShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "own-stack",
                        100,
                        P + "Frame " + P + "FrameData",
                        P + "History#top",
                        History::new),
                Shape.leak(
                        "own-list-appended",
                        100,
                        P + "Cell " + P + "Packet",
                        P + "PacketLog#first " + P + "PacketLog#last",
                        PacketLog::new),
                Shape.leak(
                        "own-double-list",
                        100,
                        P + "Link " + P + "Page",
                        P + "PageList#head " + P + "PageList#tail",
                        PageList::new),
                Shape.leak(
                        "own-hash-table",
                        100,
                        P + "Slot " + P + "Account",
                        P + "AccountTable#slots",
                        AccountTable::new),
                Shape.leak(
                        "own-tree",
                        100,
                        P + "Branch " + P + "Word",
                        P + "WordTree#root",
                        WordTree::new),
                Shape.leak(
                        "own-composite",
                        100,
                        P + "Widget",
                        P + "Screen#root " + P + "Widget#children",
                        Screen::new));
    }

    static final class FrameData {
        final byte[] b = new byte[200];
    }

    static final class Frame {
        final Frame below;
        final FrameData data;

        Frame(Frame b) {
            below = b;
            data = new FrameData();
        }
    }

    static final class History implements Shape.Unit {
        Frame top;

        public void run(long n) {
            top = new Frame(top);
        }
    }

    static final class Packet {
        final byte[] b = new byte[200];
        final String from;

        Packet(String f) {
            from = f;
        }
    }

    static final class Cell {
        Cell next;
        final Packet packet;

        Cell(Packet p) {
            packet = p;
        }
    }

    static final class PacketLog implements Shape.Unit {
        Cell first;
        Cell last;

        public void run(long n) {
            Cell c = new Cell(new Packet("host " + n));
            if (first == null) {
                first = c;
            } else {
                last.next = c;
            }
            last = c;
        }
    }

    static final class Page {
        final byte[] b = new byte[200];
        final long n;

        Page(long n) {
            this.n = n;
        }
    }

    static final class Link {
        Link prev;
        Link next;
        final Page page;

        Link(Page p) {
            page = p;
        }
    }

    static final class PageList implements Shape.Unit {
        Link head = new Link(null);
        Link tail = head;
        int size;

        public void run(long n) {
            Link l = new Link(new Page(n));
            l.prev = tail;
            tail.next = l;
            tail = l;
            size++;
        }
    }

    static final class Account {
        final String owner;
        final byte[] b = new byte[150];

        Account(String o) {
            owner = o;
        }
    }

    static final class Slot {
        final String key;
        final Account account;
        Slot next;

        Slot(String k, Account a, Slot n) {
            key = k;
            account = a;
            next = n;
        }
    }

    static final class AccountTable implements Shape.Unit {
        Slot[] slots = new Slot[4096];

        public void run(long n) {
            String k = "k" + n * 31;
            int i = (k.hashCode() & 0x7fffffff) % slots.length;
            slots[i] = new Slot(k, new Account("o" + n), slots[i]);
        }
    }

    static final class Word {
        final String text;
        final byte[] b = new byte[100];

        Word(String t) {
            text = t;
        }
    }

    static final class Branch {
        Branch left;
        Branch right;
        final long key;
        final Word word;

        Branch(long k, Word w) {
            key = k;
            word = w;
        }
    }

    static final class WordTree implements Shape.Unit {
        Branch root;

        public void run(long n) {
            long key = n * 0x9E3779B97F4A7C15L;
            Branch b = new Branch(key, new Word("w" + n));
            if (root == null) {
                root = b;
                return;
            }
            for (Branch at = root; ; ) {
                if (key < at.key) {
                    if (at.left == null) {
                        at.left = b;
                        return;
                    }
                    at = at.left;
                } else {
                    if (at.right == null) {
                        at.right = b;
                        return;
                    }
                    at = at.right;
                }
            }
        }
    }

    static final class Widget {
        final Widget parent;
        final List<Widget> children = new ArrayList<>(2);
        final String name;

        Widget(Widget p, String n) {
            parent = p;
            name = n;
        }
    }

    static final class Screen implements Shape.Unit {
        final Widget root = new Widget(null, "root");
        final List<Widget> panels = new ArrayList<>();

        Screen() {
            for (int i = 0; i < 40; i++) {
                Widget w = new Widget(root, "panel" + i);
                root.children.add(w);
            }
        }

        public void run(long n) {
            Widget panel = root.children.get((int) (n % 40));
            Widget row = new Widget(panel, "row" + n);
            panel.children.add(row);
            row.children.add(new Widget(row, "label" + n));
        }
    }
}
