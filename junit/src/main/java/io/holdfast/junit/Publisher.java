package io.holdfast.junit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** Tells what was found to whoever listens to the test run. */
interface Publisher {
    /** Keys of report entries, which {@link LeakReportListener} reads again. */
    String OUTCOME = "holdfast.outcome";
    String LEAK = "holdfast.leak";
    String CLASS = "holdfast.class";
    String HOLDER = "holdfast.holder";
    String TEXT = "holdfast.text";

    /** Without a test: nobody listens. */
    Publisher NONE = (outcome, id, className, holder, text) -> { };

    /**
     * @param outcome   {@code leak}, {@code soft}, {@code known}, {@code recorded} (added to the baseline), {@code aborted} or {@code note}
     * @param id        of the leak, or empty
     * @param className what leaks, or empty
     * @param holder    what holds it, or empty
     * @param text      for people
     */
    void publish(String outcome, String id, String className, String holder, String text);

    static Publisher of(ExtensionContext context) {
        return (outcome, id, className, holder, text) -> {
            Map<String, String> entry = new LinkedHashMap<>();
            entry.put(OUTCOME, outcome);
            put(entry, LEAK, id);
            put(entry, CLASS, className);
            put(entry, HOLDER, holder);
            put(entry, TEXT, text);
            context.publishReportEntry(entry);
            if (!id.isEmpty() && !outcome.equals("known")) {
                attach(context, "holdfast-" + id + ".txt", text);
            }
        };
    }

    private static void put(Map<String, String> entry, String key, String value) {
        if (!value.isBlank()) {
            entry.put(key, value); // JUnit refuses blank values
        }
    }

    /** By reflection: the type of the second parameter moved to another package in 5.14, and the old one will go. A report without the file is one all the same. */
    private static void attach(ExtensionContext context, String name, String text) {
        ThrowingConsumer<Path> write = path -> Files.writeString(path, text + "\n", StandardCharsets.UTF_8);
        for (Method method : ExtensionContext.class.getMethods()) {
            if (method.getName().equals("publishFile") && method.getParameterCount() == 3 && !method.isAnnotationPresent(Deprecated.class)) {
                try {
                    Class<?> mediaType = method.getParameterTypes()[1];
                    Object plainText = mediaType.getMethod("parse", String.class).invoke(null, "text/plain; charset=UTF-8");
                    method.invoke(context, name, plainText, write);
                    return;
                } catch (InvocationTargetException | IllegalAccessException | NoSuchMethodException | RuntimeException refused) {
                    return;
                }
            }
        }
    }
}
