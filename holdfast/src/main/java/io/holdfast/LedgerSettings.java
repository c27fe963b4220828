package io.holdfast;

import java.time.Duration;

/**
 * When a suspicion becomes a reported leak.
 *
 * @param burnIn          nothing is reported before this time since the start: a program that warms up looks like one that leaks
 * @param followed        shortest time a container must have been followed
 * @param followedIfKept  the same where a search reached nearly every sought instance: nothing has left the container since the oldest was put there
 * @param keptAge         how old the oldest of them must be for that: a batch that is flushed every twenty seconds keeps everything in between
 * @param followedIfInner the same for some of many containers (a list per session), which grow in their youth even where nothing leaks
 * @param keptIfUncounted time over which searches must have reached nearly every sought instance, ever newer ones among them, where a container is too large
 *                        to count its elements
 * @param gainedIfOnlyGrowth elements a container must have gained while it was followed if none of them was sampled: survival says nothing against it
 * @param probeInterval   shortest time between two looks at one container
 * @param filling         a container that states how many elements it takes is not accused as long as it will be full within this time
 * @param fillingBytes    nor is it excused if it would weigh more than this then: the heap may be full before it is
 * @param withdrawal      a leak that stops growing within this time of its report was a mistake and is withdrawn; later it is resolved
 */
record LedgerSettings(Duration burnIn, Duration followed, Duration followedIfKept, Duration keptAge, Duration followedIfInner, Duration keptIfUncounted,
                      long gainedIfOnlyGrowth, Duration probeInterval, Duration filling, long fillingBytes, Duration withdrawal) {
    private static final int FILLING_SHARE_DIVISOR = 2;

    /** For a heap of at most that many bytes. */
    static LedgerSettings defaults(long maxHeapBytes) {
        return new LedgerSettings(Duration.ofSeconds(40), Duration.ofSeconds(18), Duration.ofSeconds(7), Duration.ofSeconds(24), Duration.ofSeconds(20), Duration.ofSeconds(60),
                200, Duration.ofSeconds(1), Duration.ofMinutes(10), maxHeapBytes / FILLING_SHARE_DIVISOR, Duration.ofMinutes(2));
    }
}
