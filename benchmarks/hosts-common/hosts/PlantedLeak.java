package hosts;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * A leak beside a healthy program: 50 small objects a second into a static list, from as many seconds after the JVM's start on as the system property
 * {@code planted} says.
 */
final class PlantedLeak {
    private static final int A_SECOND = 50;
    private static final int AT_ONCE = 5;
    private static final List<Ticket> TICKETS = new ArrayList<>();

    private PlantedLeak() { }

    /** What leaks. */
    static final class Ticket {
        final long number;
        final byte[] text = new byte[100];

        Ticket(long number) {
            this.number = number;
        }
    }

    static void startIfAsked() {
        int after = Integer.getInteger("planted", -1);
        if (after < 0) {
            return;
        }
        Thread thread = new Thread(() -> leak(after), "tickets");
        thread.setDaemon(true);
        thread.start();
    }

    private static void leak(int afterSeconds) {
        try {
            Thread.sleep(Math.max(0, afterSeconds * 1_000L - ManagementFactory.getRuntimeMXBean().getUptime()));
            System.out.println("leaking begins");
            while (true) {
                for (int i = 0; i < AT_ONCE; i++) {
                    TICKETS.add(new Ticket(TICKETS.size()));
                }
                Thread.sleep(1_000L * AT_ONCE / A_SECOND);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
