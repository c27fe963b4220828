package io.holdfast.proofs;

/** Loaded by throw-away class loaders; its statics are theirs. */
public class Plugin {
    public static Object kept;
    public Object own;
}
