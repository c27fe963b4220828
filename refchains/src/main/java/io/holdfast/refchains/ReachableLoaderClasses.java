package io.holdfast.refchains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Lists classes without an agent: those of the loaders that threads and well-known loaders lead to, and those met in earlier walks. Misses boot
 * classes never met and loaders that no thread has as its context.
 */
final class ReachableLoaderClasses implements ClassListing {
    private final TrustedHeapReader reader;
    private final ThreadListing threads;
    private final WellKnownLoaders wellKnown;

    ReachableLoaderClasses(TrustedHeapReader reader, ThreadListing threads, WellKnownLoaders wellKnown) {
        this.reader = reader;
        this.threads = threads;
        this.wellKnown = wellKnown;
    }

    @Override
    public Class<?>[] classes() {
        Set<Class<?>> found = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<ClassLoader> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<ClassLoader> waiting = new ArrayDeque<>(List.of(wellKnown.all()));
        // getContextClassLoader may be overridden by the application: the field is read instead
        long contextLoader = reader.offsetOf(Thread.class, "contextClassLoader");
        for (Thread thread : threads.threads()) {
            if (thread != null && contextLoader >= 0 && reader.reference(thread, contextLoader) instanceof ClassLoader loader) {
                waiting.add(loader);
            }
        }
        reader.met().forEachClass(type -> add(type, found, waiting));
        while (!waiting.isEmpty()) {
            ClassLoader loader = waiting.remove();
            if (seen.add(loader)) {
                for (Class<?> type : definedBy(loader)) {
                    add(type, found, waiting);
                }
                if (loader.getParent() != null) {
                    waiting.add(loader.getParent());
                }
            }
        }
        return found.toArray(new Class<?>[0]);
    }

    /** With its superclasses and interfaces: many of them are boot classes, which no loader lists. */
    private static void add(Class<?> type, Set<Class<?>> found, Deque<ClassLoader> waiting) {
        for (Class<?> each = type; each != null && found.add(each); each = each.getSuperclass()) {
            if (each.getClassLoader() != null) {
                waiting.add(each.getClassLoader());
            }
        }
    }

    /** The list is read as it lies there: its iterator would fail when a class is loaded meanwhile, and its lock is not ours to take. */
    private List<Class<?>> definedBy(ClassLoader loader) {
        List<Class<?>> types = new ArrayList<>();
        long classes = reader.offsetOf(ClassLoader.class, "classes");
        Object list = classes < 0 ? null : reader.reference(loader, classes);
        long elements = list instanceof ArrayList ? reader.offsetOf(ArrayList.class, "elementData") : ClassPlan.NO_OFFSET;
        if (elements >= 0 && reader.reference(list, elements) instanceof Object[] array) {
            for (Object element : array) {
                if (element instanceof Class<?> type) {
                    types.add(type);
                }
            }
        }
        return types;
    }
}
