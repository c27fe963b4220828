package io.holdfast.refchains;

import java.util.ArrayList;
import java.util.List;

/**
 * The loaders whose classes live as long as we do: application, platform and boot loader, and the loader of Holdfast itself with its parents (in a
 * program that is loaded by a loader of its own, that is the loader of the whole application). Immutable.
 */
final class WellKnownLoaders {
    /** The application's first, the platform loader last. Compared by identity only: {@code equals} of a loader may be the application's. */
    private final ClassLoader[] loaders;

    /** {@code ours} comes first: it may sit below the application loader, as the loader of the application proper. */
    WellKnownLoaders(ClassLoader ours) {
        List<ClassLoader> known = new ArrayList<>();
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        for (ClassLoader first : new ClassLoader[] {ours, ClassLoader.getSystemClassLoader()}) {
            for (ClassLoader loader = first; loader != null; loader = loader.getParent()) {
                if (loader != platform && rank(loader, known.toArray(new ClassLoader[0])) < 0) {
                    known.add(loader);
                }
            }
        }
        known.add(platform);
        loaders = known.toArray(new ClassLoader[0]);
    }

    boolean custom(Class<?> type) {
        return rank(type.getClassLoader()) < 0;
    }

    /** Place in the order in which roots are taken: 0 for the application's own classes, larger for the JDK's, -1 for custom loaders. */
    int rank(ClassLoader loader) {
        return loader == null ? loaders.length : rank(loader, loaders);
    }

    private static int rank(ClassLoader loader, ClassLoader[] among) {
        for (int i = 0; i < among.length; i++) {
            if (among[i] == loader) {
                return i;
            }
        }
        return -1;
    }

    /** Ranks are {@code 0 … ranks() - 1}. */
    int ranks() {
        return loaders.length + 1;
    }

    ClassLoader[] all() {
        return loaders.clone();
    }
}
