package io.holdfast.refchains;

/** Finds classes that are loaded, without loading any through a loader of the application. */
@FunctionalInterface
interface LoadedClassLookup {
    /** The class that the loader (null = boot loader) has defined or was asked for before; null if there is none. */
    Class<?> find(ClassLoader loader, String binaryName);

    /** A class of the boot loader; no application code runs when it is loaded. */
    static Class<?> ofBootLoader(String binaryName) {
        try {
            return Class.forName(binaryName, false, null);
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }
}
