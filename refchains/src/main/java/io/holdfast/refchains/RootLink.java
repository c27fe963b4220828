package io.holdfast.refchains;

import io.holdfast.core.StackLocal;
import java.lang.ref.WeakReference;

/**
 * Where a chain sets out.
 *
 * @param holder class, thread, loader or local variable, held weakly
 * @param kind   one of the root kinds of {@link Link}
 */
record RootLink(WeakReference<Object> holder, byte kind) {
    static RootLink of(Object holder, byte kind) {
        return new RootLink(holder instanceof StackLocal local ? new Kept(local) : new WeakReference<>(holder), kind);
    }

    /** The note of a local is ours and refers weakly itself: nobody else keeps it. */
    private static final class Kept extends WeakReference<Object> {
        @SuppressWarnings("unused")
        private final StackLocal local;

        Kept(StackLocal local) {
            super(local);
            this.local = local;
        }
    }
}
