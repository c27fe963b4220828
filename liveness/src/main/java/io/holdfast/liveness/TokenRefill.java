package io.holdfast.liveness;

import io.holdfast.core.SiteCatalogue;
import java.util.random.RandomGenerator;

/**
 * Decides when a site yields its next samples. Each site gets about {@value #TOKENS_PER_EPOCH} tokens an epoch at random moments, whatever it
 * allocates: the trend needs a few survivors of every epoch, not bytes. Sites with survivors get more, sites whose objects all died fewer and finally
 * none; all together never more than {@value #MAX_SAMPLES_PER_SECOND} a second.
 *
 * <p>A site that several parts of the program share (a map's node, made in the JDK) gets more until it has been judged, and a leak in one of them may
 * hide among many more that died: both are scaled, so that each part has its samples.
 */
final class TokenRefill {
    static final double TOKENS_PER_EPOCH = 8;
    static final double MIN_PER_SECOND = 0.5;
    static final double MAX_PER_SECOND = 16;
    static final double MAX_SAMPLES_PER_SECOND = 200;
    /** Samples judged before a site without survivors counts as one whose objects always die. */
    static final int HOPELESS_AFTER = 16;
    /** As many judged samples, all of them dead, and a site gets no more. */
    static final int NONE_AFTER = 64;
    /** A site that several contexts share is judged by that many times the samples, and gets that many times the tokens meanwhile. */
    static final int MAX_SHARE_FACTOR = 4;
    static final double SURVIVOR_FACTOR = 2;
    static final double HOPELESS_FACTOR = 0.25;
    private static final double EPOCH_SMOOTHING = 0.3;
    private static final double FIRST_STEP_SECONDS = 1;
    private static final double MAX_STEP_SECONDS = 2;
    private static final double FIRST_EPOCH_SECONDS = 4;

    /** What became of a site's samples. */
    interface Outlook {
        /** Samples that have seen a collection. */
        long judged(int siteId);

        /** Samples alive after one. */
        int survivors(int siteId);

        /** Parts of the program that use the site, at least 1. */
        int contexts(int siteId);

        /** Whether samples of the site would be refused now. */
        boolean refuses(int siteId);
    }

    private final RandomGenerator random;
    private double epochSeconds = FIRST_EPOCH_SECONDS;
    private boolean started;
    private long lastNanos;
    private long lastEpoch;
    private long lastEpochNanos;
    private double allowance = MAX_SAMPLES_PER_SECOND;

    TokenRefill(RandomGenerator random) {
        this.random = random;
    }

    /** Grants what is due since the last call. Work: a few nanoseconds a site. */
    void refill(long nanos, long epoch, SiteCatalogue sites, Outlook outlook) {
        double step = started ? Math.max(0, Math.min(MAX_STEP_SECONDS, (nanos - lastNanos) / 1e9)) : FIRST_STEP_SECONDS;
        followEpochs(nanos, epoch);
        started = true;
        lastNanos = nanos;
        allowance = Math.min(MAX_SAMPLES_PER_SECOND, allowance + step * MAX_SAMPLES_PER_SECOND);
        double length = Math.max(epochSeconds, (nanos - lastEpochNanos) / 1e9);
        int count = sites.siteCount();
        double wanted = 0;
        for (int site = 0; site < count; site++) {
            wanted += rate(site, length, sites, outlook);
        }
        if (wanted == 0) {
            return;
        }
        double scale = Math.min(1, MAX_SAMPLES_PER_SECOND / wanted);
        // From a random site on, so that a spent allowance does not always hit the same ones.
        int first = random.nextInt(count);
        for (int i = 0; i < count; i++) {
            int site = (first + i) % count;
            double rate = rate(site, length, sites, outlook);
            if (rate > 0) {
                grant(site, step * scale * rate, sites);
            }
        }
    }

    /** Tokens a second for a site, before the limit of the process. */
    static double perSecond(double epochSeconds, long judged, int survivors, int contexts) {
        double base = Math.max(MIN_PER_SECOND, TOKENS_PER_EPOCH / epochSeconds);
        int share = Math.min(MAX_SHARE_FACTOR, contexts);
        if (survivors > 0) {
            base *= SURVIVOR_FACTOR * share;
        } else if (judged >= (long) NONE_AFTER * share) {
            return 0;
        } else if (judged >= (long) HOPELESS_AFTER * share) {
            base *= HOPELESS_FACTOR;
        } else {
            base *= share;
        }
        return Math.min(MAX_PER_SECOND, base);
    }

    private static double rate(int site, double epochSeconds, SiteCatalogue sites, Outlook outlook) {
        return sites.active(site) && !outlook.refuses(site)
                ? perSecond(epochSeconds, outlook.judged(site), outlook.survivors(site), outlook.contexts(site)) : 0;
    }

    /** Smoothed length of an epoch in seconds. */
    double epochSeconds() {
        return epochSeconds;
    }

    private void followEpochs(long nanos, long epoch) {
        if (!started) {
            lastEpoch = epoch;
            lastEpochNanos = nanos;
        } else if (epoch != lastEpoch) {
            double length = Math.max(1e-3, (nanos - lastEpochNanos) / 1e9 / (epoch - lastEpoch));
            epochSeconds += EPOCH_SMOOTHING * (length - epochSeconds);
            lastEpoch = epoch;
            lastEpochNanos = nanos;
        }
    }

    private void grant(int site, double expected, SiteCatalogue sites) {
        int tokens = (int) expected + (random.nextDouble() < expected - (int) expected ? 1 : 0);
        tokens = (int) Math.min(tokens, allowance);
        if (tokens > 0) {
            allowance -= tokens;
            sites.grant(site, tokens);
        }
    }
}
