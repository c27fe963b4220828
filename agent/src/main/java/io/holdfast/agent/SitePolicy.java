package io.holdfast.agent;

import io.holdfast.core.SiteSurvival;
import java.util.Set;

/** Which sites get a hook and which lose it. Pure. */
final class SitePolicy {
    static final int MAX_ACTIVE_SITES = 500;
    /** Up to here, sites enter that the scout has not named but that share a method with one it has. */
    static final int MAX_ACTIVE_WITH_SIBLINGS = 250;
    static final int MAX_NEW_SITES_PER_BATCH = 128;
    static final int LEAVE_ADMITTED = 8;
    static final int LEAVE_EPOCHS = 3;
    static final int STAY_SURVIVORS = 2;
    static final int BREAKER_ADMITTED = 4;
    static final int BREAKER_EPOCHS = 2;
    /** Sites that get a second chance at a time, and how often. Few: each costs its method the code compiled for it, until its objects have died once more. */
    static final int CHANCES = 8;
    static final long CHANCE_GAP_NANOS = 600 * BatchSchedule.SECOND;
    static final int SHARED_FACTOR = 16;
    /** Share of all scouted bytes from which the sites that are to leave do not wait for the next regular batch. */
    static final double HOT_SHARE = 0.1;
    /**
     * And they do so only from this rate on, in bytes a second: a million objects of a hundred bytes, whose hooks cost a few thousandths of a core. What a batch costs,
     * some seconds of compiling anew in a large program, is not made up for by less within an hour.
     */
    static final double HOT_BYTES_PER_SECOND = 100e6;

    private static final Set<String> PRIMITIVE_ARRAYS = Set.of("byte[]", "char[]", "int[]", "long[]", "short[]", "boolean[]", "float[]", "double[]");
    private static final Set<String> BOXES = Set.of("java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte",
            "java.lang.Character", "java.lang.Boolean", "java.lang.Float", "java.lang.Double");

    private SitePolicy() { }

    /**
     * Whether the site's objects die: all of them soon, or nearly all of many. A site that several parts of the program share must show more: a registry
     * that never forgets may be one user of a hundred, and four nodes of others say nothing about it.
     */
    static boolean leaves(SiteSurvival survival) {
        long share = survival.contexts() > 1 ? SHARED_FACTOR : 1;
        boolean diedOut = survival.admitted() >= BREAKER_ADMITTED * share && survival.epochs() >= BREAKER_EPOCHS && survival.survivors() == 0;
        boolean rarelySurvives = survival.admitted() >= LEAVE_ADMITTED * share && survival.epochs() >= LEAVE_EPOCHS
                && survival.survivors() < STAY_SURVIVORS;
        return diedOut || rarelySurvives;
    }

    /** Whether sites that are to leave are too hot to wait. */
    static boolean tooHot(double bytesPerSecond, double allBytesPerSecond) {
        return bytesPerSecond >= HOT_BYTES_PER_SECOND && bytesPerSecond / allBytesPerSecond >= HOT_SHARE;
    }

    /**
     * JDK code that nearly all compiled code has inlined: retransforming it throws much of that away, and a hook in {@code valueOf} ends box
     * elimination everywhere. Two shapes: boxes, and the primitive arrays that strings and builders are made of. Nothing is lost: what owns them
     * (the string, the node, the list) is sampled at its own site, and leads to the same leak.
     */
    static boolean tooHotToTouch(String className, String allocatedClass) {
        if (!className.startsWith("java.lang.")) {
            return className.equals("java.util.Arrays") && PRIMITIVE_ARRAYS.contains(allocatedClass);
        }
        return BOXES.contains(className) || PRIMITIVE_ARRAYS.contains(allocatedClass);
    }
}
