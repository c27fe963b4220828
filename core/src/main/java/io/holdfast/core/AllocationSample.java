package io.holdfast.core;

import java.lang.ref.WeakReference;

/**
 * What the hook hands over about one object, made on the allocating thread. Nothing here keeps the object alive. The undecoded stack holds
 * the classes of its frames, so it must be decoded or dropped soon after the first collection.
 *
 * @param reference   weak reference to the object
 * @param siteId      id of the site, see {@link SiteCatalogue}
 * @param threadId    Java thread id
 * @param threadName  name of the thread at that moment
 * @param stack       undecoded stack of the allocation, or null
 * @param nanos       {@link Ticker#nanos} at the allocation
 * @param epoch       GC epoch at the allocation
 */
public record AllocationSample(WeakReference<Object> reference, int siteId, long threadId, String threadName, Throwable stack, long nanos, long epoch) {
    /** Site id of objects given to {@code Holdfast.watch}. */
    public static final int WATCHED = -1;
}
