package io.holdfast.agent;

import java.lang.ref.WeakReference;

/**
 * One live frame of the application, as its thread saw it. Holds nothing of the application strongly.
 *
 * @param type       class of the method
 * @param element    method, source and line
 * @param descriptor of the method
 * @param index      bytecode index of the call that is under way
 * @param depth      frames further inside
 * @param slots      variables that held an object
 * @param objects    what they held
 */
record CapturedFrame(WeakReference<Class<?>> type, StackTraceElement element, String descriptor, int index, int depth, int[] slots,
                     WeakReference<Object>[] objects) { }
