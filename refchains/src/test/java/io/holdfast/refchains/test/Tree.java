package io.holdfast.refchains.test;

/** A persistent search tree: each insertion copies the way to the root. */
public final class Tree {
    public final int key;
    public final Object value;
    public final Tree left;
    public final Tree right;

    public Tree(int key, Object value, Tree left, Tree right) {
        this.key = key;
        this.value = value;
        this.left = left;
        this.right = right;
    }

    public static Tree with(Tree tree, int key, Object value) {
        if (tree == null) {
            return new Tree(key, value, null, null);
        }
        return key < tree.key ? new Tree(tree.key, tree.value, with(tree.left, key, value), tree.right)
                : new Tree(tree.key, tree.value, tree.left, with(tree.right, key, value));
    }
}
