package io.holdfast.jfr;

import io.holdfast.core.ClassNames;
import io.holdfast.core.RootConfirmation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;

/** Reads {@code jdk.OldObjectSample}. */
final class OldObjectReader {
    private static final int MAX_PATH = 1_024;
    private static final String CLASS_OF_STATICS = "java.lang.Class";
    private static final String CLASS_NAME = "Class Name: ";

    private OldObjectReader() { }

    /** The sampled object, or null when the event names none. */
    static OldObject read(RecordedEvent event) {
        RecordedObject object = event.getValue("object");
        if (object == null) {
            return null;
        }
        RecordedObject root = event.getValue("root");
        List<RootConfirmation.Step> path = new ArrayList<>();
        String first = path(object, path);
        Collections.reverse(path);
        return new OldObject(type(object), event.getInstant("allocationTime"), caller(event), root == null ? null : text(root, "system"),
                root == null ? null : text(root, "type"), root == null ? null : text(root, "description"), root == null ? null : first, path);
    }

    /** Adds the references that lead to the object, nearest first; gives the class of the object where they begin. */
    private static String path(RecordedObject object, List<RootConfirmation.Step> path) {
        RecordedObject target = object;
        RecordedObject reference = referrer(target);
        while (reference != null && path.size() < MAX_PATH) {
            RecordedObject holder = reference.getValue("object");
            if (holder == null) {
                break;
            }
            RecordedObject array = reference.getValue("array");
            RecordedObject field = reference.getValue("field");
            String holderClass = type(holder);
            String ofStatics = holderClass.equals(CLASS_OF_STATICS) ? holder.getString("description") : null;
            boolean isStatic = field != null && ofStatics != null && ofStatics.startsWith(CLASS_NAME);
            path.add(new RootConfirmation.Step(name(isStatic ? ofStatics.substring(CLASS_NAME.length()).strip() : holderClass),
                    array != null || field == null ? null : name(field.getString("name")), isStatic, array == null ? -1 : array.getInt("index"),
                    reference.getInt("skip"), type(target)));
            target = holder;
            reference = referrer(target);
        }
        return type(target);
    }

    private static RecordedObject referrer(RecordedObject object) {
        return object.getValue("referrer");
    }

    private static String type(RecordedObject object) {
        RecordedClass type = object.getValue("type");
        return type == null ? "?" : name(ClassNames.fromDescriptor(type.getName()));
    }

    /** On one line and bounded, as it is written into events. */
    private static String name(String name) {
        return EventText.name(name == null ? null : name.replace('\n', ' ').replace('\r', ' '));
    }

    /** The VM's words; a constant of its own may be a text or an object that holds one. */
    private static String text(RecordedObject root, String field) {
        Object value = root.getValue(field);
        if (value instanceof RecordedObject constant) {
            value = constant.getValue(constant.getFields().get(0).getName());
        }
        return value == null ? null : name(value.toString());
    }

    private static CallerFrame caller(RecordedEvent event) {
        if (event.getStackTrace() == null) {
            return null;
        }
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            RecordedMethod method = frame.getMethod();
            String owner = method.getType().getName();
            if (!CallerFrame.isJdk(owner)) {
                return new CallerFrame(owner + "." + method.getName(), frame.getLineNumber() > 0 ? frame.getLineNumber() : -1);
            }
        }
        return null;
    }
}
