package io.holdfast.examples.shapes;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;

/** Class loaders and generated classes that stay. */
final class LoaderShapes {
    private static final String P = "io.holdfast.examples.shapes.LoaderShapes$";

    private LoaderShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "loader-in-list",
                        8,
                        P + "AppLoader " + P + "App " + P + "AppCache java.lang.Class",
                        P + "Container#deployed",
                        Container::new),
                Shape.leak(
                        "loader-by-driver",
                        8,
                        P + "AppLoader " + P + "AppDriver java.sql.DriverInfo java.lang.Class",
                        "java.sql.DriverManager#registeredDrivers",
                        DriverApps::new),
                Shape.leak(
                        "loader-by-thread-local",
                        8,
                        P + "AppLoader " + P + "AppCache java.lang.Class",
                        "java.lang.Thread#threadLocals java.lang.ThreadLocal$ThreadLocalMap#table"
                            + " java.lang.ThreadLocal$ThreadLocalMap$Entry#value",
                        LocalApps::new),
                Shape.leak(
                        "loader-by-context-of-thread",
                        8,
                        P + "AppLoader " + P + "AppCache java.lang.Thread java.lang.Class",
                        "java.lang.Thread#contextClassLoader",
                        ContextApps::new),
                Shape.leak(
                        "loader-by-timer",
                        8,
                        P
                                + "AppLoader "
                                + P
                                + "AppCache java.util.TimerThread java.util.Timer"
                                + " java.util.TaskQueue java.lang.Class",
                        "java.lang.Thread#contextClassLoader java.util.TimerThread#queue",
                        TimerApps::new),
                Shape.leak(
                        "hidden-classes",
                        40,
                        P + "Template* java.lang.Class",
                        P + "Templates#compiled",
                        Templates::new),
                Shape.leak(
                        "drivers",
                        30,
                        P + "Pool$* java.sql.DriverInfo " + P + "PoolDriver",
                        "java.sql.DriverManager#registeredDrivers",
                        Drivers::new));
    }

    /** Defines the app's classes anew, child first. */
    static final class AppLoader extends ClassLoader {
        AppLoader() {
            super(LoaderShapes.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(P + "App") && !name.equals(P + "AppLoader")) {
                synchronized (getClassLoadingLock(name)) {
                    Class<?> c = findLoadedClass(name);
                    if (c == null) {
                        byte[] b = bytes(name);
                        c = defineClass(name, b, 0, b.length);
                    }
                    return c;
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    static byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in =
                LoaderShapes.class
                        .getClassLoader()
                        .getResourceAsStream(name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        } catch (Exception e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    static Runnable start(String app) {
        try {
            Runnable r =
                    (Runnable)
                            new AppLoader()
                                    .loadClass(P + app)
                                    .getDeclaredConstructor()
                                    .newInstance();
            r.run();
            return r;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static final class AppCache {
        static final List<byte[]> CACHE = new ArrayList<>();

        static void fill() {
            for (int i = 0; i < 20; i++) {
                CACHE.add(new byte[1000]);
            }
        }
    }

    public static final class App implements Runnable {
        public App() { }

        public void run() {
            AppCache.fill();
        }
    }

    static final class Container implements Shape.Unit {
        final List<Runnable> deployed = new ArrayList<>();

        public void run(long n) {
            deployed.add(start("App"));
        }
    }

    public static final class AppDriver implements Driver {
        public AppDriver() { }

        public Connection connect(String u, Properties p) {
            return null;
        }

        public boolean acceptsURL(String u) {
            return false;
        }

        public DriverPropertyInfo[] getPropertyInfo(String u, Properties p) {
            return new DriverPropertyInfo[0];
        }

        public int getMajorVersion() {
            return 1;
        }

        public int getMinorVersion() {
            return 0;
        }

        public boolean jdbcCompliant() {
            return false;
        }

        public Logger getParentLogger() {
            return null;
        }
    }

    public static final class AppWithDriver implements Runnable {
        public AppWithDriver() { }

        public void run() {
            AppCache.fill();
            try {
                DriverManager.registerDriver(new AppDriver());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class DriverApps implements Shape.Unit {
        public void run(long n) {
            start("AppWithDriver");
        }
    }

    public static final class AppWithLocal implements Runnable {
        static final ThreadLocal<AppWithLocal> CURRENT = new ThreadLocal<>();

        public AppWithLocal() { }

        public void run() {
            AppCache.fill();
            CURRENT.set(this);
        }
    }

    static final class LocalApps implements Shape.Unit {
        final ExecutorService pool = ThreadShapes.pool(4, "http");

        public void run(long n) {
            pool.execute(() -> start("AppWithLocal"));
        }
    }

    public static final class AppWithThread implements Runnable {
        public AppWithThread() { }

        public void run() {
            AppCache.fill();
            Thread t =
                    new Thread(
                            null,
                            () -> {
                                while (true) {
                                    LockSupport.parkNanos(Long.MAX_VALUE);
                                }
                            },
                            "app-worker",
                            128 * 1024);
            t.setDaemon(true);
            t.setContextClassLoader(getClass().getClassLoader());
            t.start();
        }
    }

    static final class ContextApps implements Shape.Unit {
        public void run(long n) {
            start("AppWithThread");
        }
    }

    public static final class AppWithTimer implements Runnable {
        public AppWithTimer() { }

        public void run() {
            AppCache.fill();
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
            java.util.Timer timer = new java.util.Timer("refresh", true);
            timer.schedule(new AppTask(), 3_600_000, 3_600_000);
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    public static final class AppTask extends java.util.TimerTask {
        public void run() {
            AppCache.fill();
        }
    }

    static final class TimerApps implements Shape.Unit {
        public void run(long n) {
            start("AppWithTimer");
        }
    }

    public static final class Template implements Runnable {
        final byte[] b = new byte[200];

        public Template() { }

        public void run() {
            b[0]++;
        }
    }

    static final class Templates implements Shape.Unit {
        final List<Runnable> compiled = new ArrayList<>();
        final byte[] code;

        Templates() {
            try {
                code = bytes(P + "Template");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        public void run(long n) throws Exception {
            compiled.add(
                    (Runnable)
                            MethodHandles.lookup()
                                    .defineHiddenClass(code, true)
                                    .lookupClass()
                                    .getDeclaredConstructor()
                                    .newInstance());
        }
    }

    static final class PoolDriver implements Driver {
        final Driver real = new AppDriver();
        final byte[] b = new byte[300];

        public Connection connect(String u, Properties p) {
            return null;
        }

        public boolean acceptsURL(String u) {
            return false;
        }

        public DriverPropertyInfo[] getPropertyInfo(String u, Properties p) {
            return new DriverPropertyInfo[0];
        }

        public int getMajorVersion() {
            return 1;
        }

        public int getMinorVersion() {
            return 0;
        }

        public boolean jdbcCompliant() {
            return false;
        }

        public Logger getParentLogger() {
            return null;
        }
    }

    static final class Drivers implements Shape.Unit {
        public void run(long n) throws Exception {
            DriverManager.registerDriver(new PoolDriver());
        }
    }
}
