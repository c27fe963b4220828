package io.holdfast;

import io.holdfast.core.Accumulation;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import java.util.ArrayList;
import java.util.List;

/** Sentences about the shape of a leak: what such a shape usually means and how it is cured. Knows structures of the JDK, no library. */
final class LeakHints {
    private LeakHints() { }

    static List<String> of(Accumulation accumulation, List<ReferenceChain> chains) {
        List<String> hints = new ArrayList<>();
        if (chains.isEmpty()) {
            return hints;
        }
        ReferenceChain chain = chains.get(0);
        boolean throughLoader = chain.edges().stream().anyMatch(e -> e.kind() == EdgeKind.CLASS_LOADER);
        boolean threadLocal = chain.root().kind() == RootKind.THREAD_LOCAL || chain.root().kind() == RootKind.INHERITABLE_THREAD_LOCAL;
        if (threadLocal) {
            hints.add("A thread-local of a long-lived thread holds these objects: call ThreadLocal.remove() when the work on the thread is done.");
        }
        if (chain.root().kind() == RootKind.FINALIZER_QUEUE) {
            hints.add("These objects are garbage that waits for its finalize method: the finalizer thread is blocked, or slower than they are made.");
        }
        if (throughLoader) {
            hints.add("The path leads through an object to the class loader of its class: all classes of that loader stay loaded with it.");
        }
        if (accumulation.holder().endsWith("$DelayedWorkQueue#queue")) {
            hints.add("Tasks wait in a scheduler's queue; cancelled ones stay until their time unless setRemoveOnCancelPolicy(true) is set.");
        }
        if (accumulation.timeField() != null) {
            hints.add("Each element states a time (field " + accumulation.timeField()
                    + "): what is kept for a while and taken out again by its age does not leak, and has not been followed for as long yet.");
        }
        for (Hop edge : chain.edges()) {
            if (edge.field() != null && edge.field().startsWith("this$")) {
                hints.add("An inner class (" + edge.holder() + ") keeps its outer object through " + edge.field()
                        + ": whoever holds the inner object holds the outer one.");
                break;
            }
        }
        return hints;
    }
}
