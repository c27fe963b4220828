package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts and closes application contexts, and prints what is left of them. For JVMs of its own. */
final class RestartingProgram {
    private static final long LIMIT_NANOS = Duration.ofMinutes(5).toNanos();
    private static final String APPLICATION = "com.acme.restarted.RestartedApplication";

    private RestartingProgram() { }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "restarts" -> restarts();
            case "two" -> two();
            case "refused" -> refused();
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("done");
    }

    /** The first round is without Holdfast: what it leaves behind is Spring's. */
    private static void restarts() throws Exception {
        for (int round = 0; round < 3; round++) {
            WeakReference<ClassLoader> loader = oneRound(round > 0);
            System.out.println("round " + round + " loader gone " + eventually(() -> {
                System.gc();
                return loader.get() == null;
            }));
            System.out.println("round " + round + " threads gone " + eventually(() -> threads().isEmpty()) + " " + threads());
            System.out.println("round " + round + " running " + Holdfast.startedBy() + " " + Holdfast.current());
        }
    }

    private static WeakReference<ClassLoader> oneRound(boolean enabled) throws Exception {
        try (RestartLoader loader = new RestartLoader()) {
            ConfigurableApplicationContext context = start(loader.loadClass(APPLICATION), "one", enabled);
            if (enabled) {
                System.out.println("up " + eventually(RestartingProgram::isUp));
            }
            context.getBean(Runnable.class).run();
            System.out.println("its own loader " + (context.getBean(Runnable.class).getClass().getClassLoader() == loader));
            if (enabled) {
                System.out.println("watched " + eventually(() -> tracked() >= 2)); // both have arrived in the table
            }
            context.close();
            return new WeakReference<>(loader);
        }
    }

    private static long tracked() {
        return Holdfast.current().flatMap(Holdfast::snapshot).map(report -> report.counters().getOrDefault("liveness.samples.tracked", 0L)).orElse(0L);
    }

    private static void two() throws Exception {
        Class<?> application = Class.forName(APPLICATION);
        ConfigurableApplicationContext first = start(application, "first", true);
        System.out.println("up " + eventually(RestartingProgram::isUp));
        Holdfast running = Holdfast.current().orElseThrow();
        ConfigurableApplicationContext second = start(application, "second", true);
        System.out.println("shared " + second.getBean(RunningHoldfast.class).get().equals(first.getBean(RunningHoldfast.class).get()));
        second.close();
        System.out.println("second closed, still running " + Holdfast.current().filter(running::equals).isPresent());
        first.close();
        System.out.println("first closed, running " + Holdfast.current().isPresent());
        ConfigurableApplicationContext third = start(application, "third", true);
        System.out.println("up again " + eventually(RestartingProgram::isUp));
        third.close();
        System.out.println("threads gone " + eventually(() -> threads().isEmpty()));
    }

    /** In a JVM that lets nobody attach. */
    private static void refused() throws Exception {
        ConfigurableApplicationContext context = start(Class.forName(APPLICATION), "refused", true);
        System.out.println("up " + eventually(RestartingProgram::isUp));
        System.out.println(context.getBean(RunningHoldfast.class).get().orElseThrow().snapshot().orElseThrow().toText());
        System.out.println("active " + context.isActive());
        context.close();
    }

    private static ConfigurableApplicationContext start(Class<?> application, String id, boolean enabled) {
        SpringApplication spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);
        spring.setBannerMode(Banner.Mode.OFF);
        spring.setRegisterShutdownHook(false);
        spring.setDefaultProperties(Map.of("holdfast.enabled", enabled, "spring.application.name", id));
        return spring.run();
    }

    private static boolean isUp() {
        return Holdfast.current().flatMap(Holdfast::latest).isPresent();
    }

    private static TreeSet<String> threads() {
        TreeSet<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("holdfast") || thread.getName().startsWith("JFR Event Stream")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static boolean eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.sleep(50);
        }
        return true;
    }

    /** The application's own classes come from here, all others from the parent. */
    private static final class RestartLoader extends URLClassLoader {
        RestartLoader() {
            super(new URL[] {RestartingProgram.class.getProtectionDomain().getCodeSource().getLocation()}, RestartingProgram.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith("com.acme.restarted.")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }
}
