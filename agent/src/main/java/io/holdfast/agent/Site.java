package io.holdfast.agent;

import io.holdfast.core.AllocationSite;

/** One scouted instruction and its life. Any thread may observe and read; only the Holdfast thread moves it to another state, except to ACTIVE. */
final class Site {
    static final int NO_ID = -1;

    enum State {
        /** Seen by the scout. */
        SCOUTED,
        /** Asked for; the class has not been transformed yet. */
        PLANNED,
        /** Carries a hook. */
        ACTIVE,
        /** Lost its hook: its objects die. A second chance is another site, with an id of its own. */
        RETIRED,
        /** Cannot have a hook. */
        REFUSED
    }

    private final ScoutKey key;
    private final int line;
    private final ScoutRate rate;
    /** Whether an earlier run has named it: its index may be stale. */
    private final boolean learned;
    /** Whether it stands for one that lost its hook. */
    private final boolean again;
    private long lastNanos;
    private volatile long retiredNanos;
    private volatile int id = NO_ID;
    private volatile State state = State.SCOUTED;
    private volatile AllocationSite noun;

    Site(ScoutKey key, int line, long nowNanos) {
        this(key, line, nowNanos, false);
    }

    Site(ScoutKey key, int line, long nowNanos, boolean learned) {
        this.learned = learned;
        this.again = false;
        this.key = key;
        this.line = line;
        this.rate = new ScoutRate(nowNanos);
        this.lastNanos = nowNanos;
        this.noun = new AllocationSite(key.className(), key.methodName(), null, line, key.allocatedClass());
    }

    /** The same instruction once more, to be judged anew. */
    Site(Site retired) {
        this.key = retired.key;
        this.line = retired.line;
        this.rate = retired.rate;
        this.learned = false;
        this.again = true;
        this.lastNanos = retired.lastNanos();
        this.noun = retired.noun;
    }

    synchronized void observe(long weight, long nowNanos) {
        lastNanos = nowNanos;
        synchronized (rate) {
            rate.add(weight, nowNanos);
        }
    }

    synchronized long lastNanos() {
        return lastNanos;
    }

    double bytesPerSecond(long nowNanos) {
        synchronized (rate) {
            return rate.bytesPerSecond(nowNanos);
        }
    }

    double relativeError() {
        synchronized (rate) {
            return rate.relativeError();
        }
    }

    ScoutKey key() {
        return key;
    }

    int id() {
        return id;
    }

    State state() {
        return state;
    }

    AllocationSite noun() {
        return noun;
    }

    synchronized void plan(int newId) {
        id = newId;
        state = State.PLANNED;
    }

    /** The transformer found the instruction; the class file knows its line and source better than the scout. */
    synchronized void activate(int lineFound, String sourceFile) {
        noun = new AllocationSite(key.className(), key.methodName(), sourceFile, lineFound >= 0 ? lineFound : line, key.allocatedClass());
        if (state == State.PLANNED) {
            state = State.ACTIVE;
        }
    }

    synchronized void retire(long nowNanos) {
        state = State.RETIRED;
        retiredNanos = nowNanos;
    }

    long retiredNanos() {
        return retiredNanos;
    }

    boolean again() {
        return again;
    }

    synchronized void refuse() {
        state = State.REFUSED;
    }

    boolean learned() {
        return learned;
    }

    boolean wanted() {
        return state == State.PLANNED || state == State.ACTIVE;
    }

    WantedSite asWanted() {
        return new WantedSite(id, key.methodName(), key.descriptor(), key.index(), line, key.allocatedClass(), learned);
    }
}
