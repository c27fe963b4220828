package io.holdfast.examples.shapes;

/**
 * Meters the leak of a case: {@link #next()} returns true once per leaked unit, at the asked rate,
 * until the asked time is over. Arguments of every case: seconds (0 = for ever) and units per
 * second.
 *
 * <p>System properties: corpus.start (seconds of healthy traffic before the first unit, default 0),
 * corpus.hold (seconds to stay alive, leaking no more, after the time is over, default 0).
 */
final class Pacer {
    private final long seconds;
    private final double rate;
    private final long holdMs;
    private long done;
    private long startNs = -1;
    private long lastReport;

    public Pacer(String[] args, double defaultRate) {
        seconds = args.length > 0 ? Long.parseLong(args[0]) : 60;
        rate = args.length > 1 ? Double.parseDouble(args[1]) : defaultRate;
        holdMs = Long.getLong("corpus.hold", 0) * 1000;
        say(
                "start pid="
                        + ProcessHandle.current().pid()
                        + " seconds="
                        + seconds
                        + " rate="
                        + rate
                        + " java="
                        + Runtime.version());
        long lead = Long.getLong("corpus.start", 0);
        if (lead > 0) {
            sleep(lead * 1000);
        }
    }

    /** Waits until the next unit is due. False once the time is over. */
    public boolean next() {
        if (startNs < 0) {
            startNs = System.nanoTime();
        }
        while (true) {
            double t = (System.nanoTime() - startNs) / 1e9;
            long sec = (long) t;
            if (sec >= lastReport + 5) {
                lastReport = sec;
                report(sec);
            }
            if (seconds > 0 && t >= seconds) {
                report(sec);
                say("END units=" + done);
                if (holdMs > 0) {
                    sleep(holdMs);
                }
                return false;
            }
            if (done < t * rate) {
                done++;
                return true;
            }
            sleep(2);
        }
    }

    public long done() {
        return done;
    }

    /** Call last in main: libraries may have left threads behind. */
    public static void exit() {
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void report(long sec) {
        Runtime r = Runtime.getRuntime();
        say(
                "t="
                        + sec
                        + " units="
                        + done
                        + " usedMb="
                        + ((r.totalMemory() - r.freeMemory()) >> 20));
    }

    private static void say(String s) {
        System.out.println("[case] " + s);
        System.out.flush();
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
