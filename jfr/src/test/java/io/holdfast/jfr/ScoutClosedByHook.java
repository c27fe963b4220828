package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.RecordingState;

/** Main class of a JVM in which a shutdown hook of the application closes the scout, after Flight Recorder's own hook has ended the stream. */
final class ScoutClosedByHook {
    private static final long LIMIT_SECONDS = 300;
    private static final long STREAM_ENDS_SECONDS = 5;

    private ScoutClosedByHook() { }

    public static void main(String[] arguments) throws InterruptedException {
        AllocationScout scout = new AllocationScout(seen -> { }, new Counters());
        scout.start(150);
        long start = System.nanoTime();
        while (!(streams() && FlightRecorder.getFlightRecorder().getRecordings().stream().anyMatch(one -> one.getState() == RecordingState.RUNNING))) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                System.out.println("no stream");
                Runtime.getRuntime().halt(1);
            }
            Thread.sleep(10);
        }
        Thread watchdog = new Thread(() -> {
            sleep(LIMIT_SECONDS);
            System.out.println("hangs");
            Runtime.getRuntime().halt(1);
        });
        watchdog.setDaemon(true);
        watchdog.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            long ending = System.nanoTime();
            while (streams() && System.nanoTime() - ending < TimeUnit.SECONDS.toNanos(STREAM_ENDS_SECONDS)) {
                Thread.onSpinWait();
            }
            scout.close();
            System.out.println("closed");
        }));
    }

    private static boolean streams() {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().startsWith("JFR Event Stream (holdfast)"));
    }

    private static void sleep(long seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
