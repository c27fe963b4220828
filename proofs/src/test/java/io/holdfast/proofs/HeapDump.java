package io.holdfast.proofs;

import io.holdfast.core.ClassNames;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.Hop;
import io.holdfast.core.RootKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import kotlin.sequences.Sequence;
import shark.CloseableHeapGraph;
import shark.GcRoot;
import shark.HeapField;
import shark.HeapObject;
import shark.HprofHeapGraph;
import shark.HprofRecordTag;

/** What the VM itself wrote about the heap: the judge of our chains. Reads nothing of ours. */
final class HeapDump implements AutoCloseable {
    private static final String CLASS = "java.lang.Class";

    private final CloseableHeapGraph graph;

    HeapDump(Path file) {
        graph = HprofHeapGraph.Companion.openHeapGraph(file.toFile(), null, EnumSet.allOf(HprofRecordTag.class));
    }

    /** Why the chain is not in the dump; null if it is and ends at an object of that place. */
    String refuse(ChainLines.Chain chain, String place) {
        if (chain.truncated()) {
            return "truncated";
        }
        List<HeapObject> at = starts(chain);
        String whither = "root " + chain.root().label();
        // A local leads to its object without a holder that were in the heap.
        int first = chain.root().kind() == RootKind.STACK_LOCAL ? 1 : 0;
        for (Hop hop : chain.hops().subList(first, chain.hops().size())) {
            List<HeapObject> next = new ArrayList<>();
            for (HeapObject object : at) {
                // A class may be there twice, loaded by two loaders: any of them will do.
                HeapObject child = name(object, hop).equals(stable(hop.holder())) ? follow(object, hop) : null;
                if (child != null && stable(className(child)).equals(stable(hop.target()))) {
                    next.add(child);
                }
            }
            if (next.isEmpty()) {
                return "not in the dump: " + hop + " after " + whither + " at " + at;
            }
            at = next;
            whither = hop.toString();
        }
        for (HeapObject object : at) {
            if (Leaked.class.getName().equals(className(object)) && place.equals(placeOf(object))) {
                return null;
            }
        }
        return "ends elsewhere: " + at;
    }

    private List<HeapObject> starts(ChainLines.Chain chain) {
        String holder = chain.hops().get(0).holder();
        List<HeapObject> starts = new ArrayList<>();
        switch (chain.root().kind()) {
            case STATIC_FIELD -> each(graph.getClasses(), type -> {
                if (type.getName().equals(holder)) {
                    starts.add(type);
                }
            });
            case THREAD, THREAD_LOCAL, INHERITABLE_THREAD_LOCAL -> each(graph.getInstances(), instance -> {
                if (instance.instanceOf("java.lang.Thread")) {
                    HeapField name = instance.get("java.lang.Thread", "name");
                    if (name != null && chain.root().thread().equals(name.getValue().readAsJavaString())) {
                        starts.add(instance);
                    }
                }
            });
            case STACK_LOCAL -> {
                Hop local = chain.hops().get(0);
                for (GcRoot root : graph.getGcRoots()) {
                    HeapObject object = root instanceof GcRoot.JavaFrame frame && chain.root().thread().equals(threadName(frame.getThreadSerialNumber()))
                            ? graph.findObjectByIdOrNull(root.getId()) : null;
                    if (object != null && local.kind() == EdgeKind.STACK_LOCAL && stable(className(object)).equals(stable(local.target()))) {
                        starts.add(object);
                    }
                }
            }
            default -> throw new AssertionError("no such root in these programs: " + chain.root());
        }
        return starts;
    }

    /** Frames name their thread by its number in the dump. */
    private String threadName(int serialNumber) {
        for (GcRoot root : graph.getGcRoots()) {
            if (root instanceof GcRoot.ThreadObject thread && thread.getThreadSerialNumber() == serialNumber) {
                HeapObject object = graph.findObjectByIdOrNull(root.getId());
                HeapField name = object == null ? null : object.getAsInstance().get("java.lang.Thread", "name");
                return name == null ? null : name.getValue().readAsJavaString();
            }
        }
        return null;
    }

    private HeapObject follow(HeapObject object, Hop hop) {
        return switch (hop.kind()) {
            case STATIC_FIELD -> object instanceof HeapObject.HeapClass type && type.getName().equals(hop.declaringClass())
                    ? value(type.get(hop.field())) : null;
            case FIELD, THREAD_LOCAL, INHERITABLE_THREAD_LOCAL -> {
                boolean threads = hop.kind() != EdgeKind.FIELD && !hop.field().equals(hop.kind() == EdgeKind.THREAD_LOCAL
                        ? "threadLocals" : "inheritableThreadLocals");
                yield object instanceof HeapObject.HeapInstance instance && !threads ? field(instance, hop) : null;
            }
            case ELEMENT -> {
                if (!(object instanceof HeapObject.HeapObjectArray array)) {
                    yield null;
                }
                long[] elements = array.readRecord().getElementIds();
                yield hop.index() < elements.length ? graph.findObjectByIdOrNull(elements[hop.index()]) : null;
            }
            case CLASS_LOADER -> {
                HeapObject.HeapClass type = object instanceof HeapObject.HeapInstance instance ? instance.getInstanceClass()
                        : object instanceof HeapObject.HeapObjectArray array ? array.getArrayClass() : object.getAsClass();
                yield graph.findObjectByIdOrNull(type.readRecord().getClassLoaderId());
            }
            default -> throw new AssertionError("no such reference in these programs: " + hop);
        };
    }

    /** By hand: two classes of one name in one hierarchy are not told apart by name alone, and lambdas are called differently in dumps. */
    private static HeapObject field(HeapObject.HeapInstance instance, Hop hop) {
        Iterator<HeapField> fields = instance.readFields().iterator();
        while (fields.hasNext()) {
            HeapField field = fields.next();
            if (field.getName().equals(hop.field()) && stable(field.getDeclaringClass().getName()).equals(stable(hop.declaringClass()))) {
                return value(field);
            }
        }
        return null;
    }

    private static HeapObject value(HeapField field) {
        return field == null ? null : field.getValue().getAsObject();
    }

    private static String placeOf(HeapObject object) {
        HeapField place = object.getAsInstance().get(Leaked.class.getName(), "place");
        return place == null ? null : place.getValue().readAsJavaString();
    }

    /** What a hop calls its holder: for a static field the class itself, else the class of the object. */
    private static String name(HeapObject object, Hop hop) {
        return stable(hop.kind() == EdgeKind.STATIC_FIELD && object instanceof HeapObject.HeapClass type ? type.getName() : className(object));
    }

    private static String className(HeapObject object) {
        if (object instanceof HeapObject.HeapInstance instance) {
            return instance.getInstanceClassName();
        }
        if (object instanceof HeapObject.HeapObjectArray array) {
            return array.getArrayClassName();
        }
        return object instanceof HeapObject.HeapPrimitiveArray array ? array.getArrayClassName() : CLASS;
    }

    /** Hidden classes: {@code X/0x…} at run time, {@code X+0x…} in dumps. */
    private static String stable(String className) {
        return ClassNames.stable(className);
    }

    private interface Visitor<T> {
        void see(T object);
    }

    private static <T> void each(Sequence<T> sequence, Visitor<T> visitor) {
        for (Iterator<T> objects = sequence.iterator(); objects.hasNext();) {
            visitor.see(objects.next());
        }
    }

    @Override
    public void close() throws java.io.IOException {
        graph.close();
    }
}
