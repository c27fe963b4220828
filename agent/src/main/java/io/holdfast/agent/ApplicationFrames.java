package io.holdfast.agent;

import java.util.function.Predicate;

/** Tells methods of the application from those of the JDK and of Holdfast. Calls nothing of the application. */
final class ApplicationFrames implements Predicate<Class<?>> {
    private static final String OWN = "io.holdfast.";

    private final ClassLoader platform = ClassLoader.getPlatformClassLoader();

    @Override
    public boolean test(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader == platform) {
            return false;
        }
        String name = type.getName();
        return !name.startsWith(OWN) || !ExcludedClasses.contains(name.replace('.', '/'));
    }
}
