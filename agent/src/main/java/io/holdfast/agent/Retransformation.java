package io.holdfast.agent;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Retransforms classes in as few stops of the VM as possible. One class that the VM refuses makes it refuse the whole batch, so a refused batch is
 * tried again in halves, down to the class that fails alone.
 */
final class Retransformation {
    private final Instrumentation instrumentation;
    private final Consumer<Class<?>> refused;

    /** @param refused learns of each class that failed alone; must not keep it */
    Retransformation(Instrumentation instrumentation, Consumer<Class<?>> refused) {
        this.instrumentation = instrumentation;
        this.refused = refused;
    }

    /** Loaded classes whose binary names are wanted, in every loader. */
    List<Class<?>> loaded(Predicate<String> binaryNames) {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (!loaded.isArray() && !loaded.isPrimitive() && !loaded.isHidden() && binaryNames.test(loaded.getName())) {
                classes.add(loaded);
            }
        }
        return classes;
    }

    void run(List<Class<?>> classes) {
        if (classes.isEmpty()) {
            return;
        }
        try {
            instrumentation.retransformClasses(classes.toArray(Class<?>[]::new));
        } catch (Throwable e) {
            if (classes.size() == 1) {
                refused.accept(classes.get(0));
            } else {
                int half = classes.size() / 2;
                run(classes.subList(0, half));
                run(classes.subList(half, classes.size()));
            }
        }
    }
}
