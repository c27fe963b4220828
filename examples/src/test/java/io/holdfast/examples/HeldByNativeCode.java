package io.holdfast.examples;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.concurrent.TimeUnit;

/**
 * A leak that no reference of Java's holds: the array belongs to a class file transformer, and the JVM's instrumentation library keeps what it needs for
 * transformers alive by a JNI global reference. While the transformer is on a stack nothing is allocated, so no thread sees it among its locals.
 */
public final class HeldByNativeCode {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(600);

    private static final int ROOM = 200_000;
    private static final Ticket[] HANDED = new Ticket[4];

    private HeldByNativeCode() { }

    /** What leaks. */
    static final class Ticket {
        final byte[] printed = new byte[600];
    }

    /** Any class; loading it makes the transformer work. */
    static final class Plain { }

    private static final class Keeper implements ClassFileTransformer {
        private static final String PLAIN = Plain.class.getName().replace('.', '/');

        private final Ticket[] kept = new Ticket[ROOM];
        private int size;

        @Override
        public byte[] transform(ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
            if (PLAIN.equals(className)) {
                for (int i = 0; i < HANDED.length && size < ROOM; i++) {
                    kept[size++] = HANDED[i];
                    HANDED[i] = null;
                }
            }
            return null;
        }
    }

    private static final class OneClass extends ClassLoader {
        OneClass() {
            super(null);
        }

        Class<?> define(byte[] classFile) {
            return defineClass(Plain.class.getName(), classFile, 0, classFile.length);
        }
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Keeper());
    }

    /** Leaks until the report names the leak, then says so. */
    public static void main(String[] args) throws Exception {
        Path report = Path.of(args[0]);
        byte[] plain = classFile();
        long start = System.nanoTime();
        long nextSecond = 0;
        boolean found = false;
        while (!found && System.nanoTime() - start < LIMIT_NANOS) {
            for (int i = 0; i < HANDED.length; i++) {
                HANDED[i] = new Ticket();
            }
            new OneClass().define(plain);
            byte[][] garbage = new byte[64][];
            for (int i = 0; i < garbage.length; i++) {
                garbage[i] = new byte[512];
            }
            TimeUnit.MILLISECONDS.sleep(5);
            if (System.nanoTime() - start >= nextSecond) {
                nextSecond += TimeUnit.SECONDS.toNanos(2);
                System.gc(); // disproves those that are dead
                found = Files.exists(report) && Files.readString(report).contains("\"unexplained\"");
            }
        }
        System.out.println("found " + found);
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = Plain.class.getResourceAsStream("HeldByNativeCode$Plain.class")) {
            return in.readAllBytes();
        }
    }
}
