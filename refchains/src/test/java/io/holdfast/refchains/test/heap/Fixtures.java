package io.holdfast.refchains.test.heap;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Classes for the tests of the heap reader. They lie in a package that counts as an application's. */
public final class Fixtures {
    private Fixtures() { }

    public record Pair(Object left, String right, int number) { }

    public static class Base {
        private final Object value;

        public Base(Object value) {
            this.value = value;
        }

        public Object value() {
            return value;
        }
    }

    /** Hides its parent's field behind one of the same name. */
    public static final class Derived extends Base {
        private final Object value;
        private final int[] numbers = {1};

        public Derived(Object inherited, Object own) {
            super(inherited);
            this.value = own;
        }

        public Object own() {
            return numbers[0] == 1 ? value : null;
        }
    }

    public static final class NumbersOnly {
        public int first = 1;
        public long second = 2;
    }

    public enum Colour {
        RED(List.of("r")), GREEN(List.of("g"));

        private final List<String> words;

        Colour(List<String> words) {
            this.words = words;
        }

        public List<String> words() {
            return words;
        }
    }

    /** Tells when it is initialised. */
    public static final class Noisy {
        public static final String PROPERTY = "holdfast.test.noisy";
        public static final Object HELD = new Object();

        static {
            System.setProperty(PROPERTY, "initialised");
        }

        private Noisy() { }
    }

    public interface Constants {
        List<String> SHARED = new ArrayList<>(List.of("shared"));
    }

    public static final class Registry {
        public static final List<Object> ACTIVE = new ArrayList<>();
        public static int count;

        private Registry() { }
    }

    public static Supplier<Object> capture(Object captured) {
        return () -> captured;
    }

    public static Serializable captureSerializable(Object captured) {
        return (Supplier<Object> & Serializable) () -> captured;
    }
}
