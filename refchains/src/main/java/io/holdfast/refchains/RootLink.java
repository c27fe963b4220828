package io.holdfast.refchains;

import java.lang.ref.WeakReference;

/**
 * Where a chain sets out.
 *
 * @param holder class, thread or loader, held weakly
 * @param kind   one of the root kinds of {@link Link}
 */
record RootLink(WeakReference<Object> holder, byte kind) { }
