package io.holdfast;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One Holdfast per JVM, whatever class loaders it is in: the claim is a system property, whose table every loader shares.
 */
final class SingleInstance {
    static final String PROPERTY = "holdfast.running";

    private final String claim;

    private SingleInstance(String claim) {
        this.claim = claim;
    }

    /** Claims the JVM, or returns null when somebody else has; {@link #holder} says who. */
    static SingleInstance claim(String startedBy, Instant now) {
        ClassLoader loader = SingleInstance.class.getClassLoader();
        String name = loader == null || loader.getName() == null ? "unnamed" : loader.getName();
        String claim = "started by " + startedBy + " at " + now.truncatedTo(ChronoUnit.SECONDS) + ", class loader '" + name + "'";
        return System.getProperties().putIfAbsent(PROPERTY, claim) == null ? new SingleInstance(claim) : null;
    }

    /** Who runs Holdfast in this JVM. */
    static String holder() {
        return System.getProperty(PROPERTY, "unknown");
    }

    void release() {
        System.getProperties().remove(PROPERTY, claim);
    }
}
