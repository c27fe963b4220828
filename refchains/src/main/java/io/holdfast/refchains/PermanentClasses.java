package io.holdfast.refchains;

/** Tells classes that live as long as we do, so that naming them strongly pins nothing: all but hidden ones and those of custom loaders. */
final class PermanentClasses {
    private final WellKnownLoaders loaders;
    /** Ranks from here on are the JDK's. */
    private final int platformRank;

    PermanentClasses() {
        loaders = new WellKnownLoaders(PermanentClasses.class.getClassLoader());
        platformRank = loaders.rank(ClassLoader.getPlatformClassLoader());
    }

    boolean contains(Class<?> type) {
        return !type.isHidden() && !loaders.custom(type);
    }

    /** Whether it is a class of the application itself rather than of the JDK. */
    boolean ofApplication(Class<?> type) {
        int rank = loaders.rank(type.getClassLoader());
        return rank >= 0 && rank < platformRank;
    }

    boolean permanent(ClassLoader loader) {
        return loaders.rank(loader) >= 0;
    }
}
