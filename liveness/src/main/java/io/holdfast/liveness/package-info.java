/**
 * Follows sampled objects by weak references, and tells from the ages of the survivors which classes look as if they leaked.
 *
 * <p>The table, the histories and everything derived from them belong to one thread, the Holdfast thread: samples reach it through a bounded
 * queue, so nothing in here needs a lock. Only the queue and the ring of heap usage are shared.
 */
package io.holdfast.liveness;
