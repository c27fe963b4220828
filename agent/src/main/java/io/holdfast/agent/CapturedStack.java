package io.holdfast.agent;

import java.lang.ref.WeakReference;
import java.util.List;

/**
 * The frames of one thread at one moment.
 *
 * @param threadId   Java thread id
 * @param thread     the thread, weakly
 * @param threadName its name at that moment
 * @param nanos      when it looked
 * @param frames     frames with locals worth noting, innermost first
 * @param depth      frames walked
 * @param dropped    locals left out because there were too many, those of the innermost frames first
 */
record CapturedStack(long threadId, WeakReference<Thread> thread, String threadName, long nanos, List<CapturedFrame> frames, int depth, int dropped) { }
