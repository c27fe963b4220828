package io.holdfast.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What the VM answered when it was asked once what holds the instances of a leak ({@code jdk.OldObjectSample}, option {@code confirm=jfr}). It sees roots
 * that Java does not, and is evidence of a kind of its own: it speaks of an object of the VM's choice that looks like those of the leak, its references
 * were not read again, and of several roots it names the one it met first.
 *
 * @param outcome    what came of it
 * @param match      how the object was recognised, or null when none was
 * @param samples    objects the VM had sampled in all
 * @param matched    how many of them look like those of the leak
 * @param rootSystem part of the VM that holds the root, in its words, {@code JNI Global}; null without a chain
 * @param rootType   kind of root in the VM's words, {@code Global JNI Handle}; null without a chain
 * @param rootDetail what the VM says beyond that, the thread of a local variable for example; may be null
 * @param rootClass  class of the object that the root refers to; null without a chain
 * @param path       references from there to the object; empty when it is that object
 * @param pauseNanos how long the application was stopped for the answer
 * @param askedAt    when
 */
public record RootConfirmation(Outcome outcome, Match match, int samples, int matched, String rootSystem, String rootType, String rootDetail, String rootClass,
                               List<Step> path, long pauseNanos, Instant askedAt) {
    /** Where the answer comes from. */
    public static final String SOURCE = "jdk.OldObjectSample";

    public RootConfirmation {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(askedAt, "askedAt");
        path = List.copyOf(path);
    }

    /** What came of the question. */
    public enum Outcome {
        /** The VM named a root and a path. */
        CHAIN("chain"),
        /** The VM had sampled such an object, but found no path to it within its time, or none that is strong. */
        NO_PATH("no_path"),
        /** The VM had sampled no such object: it keeps a few hundred. */
        NO_SAMPLE("no_sample");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** How sure it is that the VM speaks of the same population. */
    public enum Match {
        /** The class and the allocating instruction's line are the same. */
        CLASS_AND_SITE("class_and_site"),
        /** Only the class is the same, and the object was allocated while the leak was followed. */
        CLASS_AND_TIME("class_and_time");

        private final String word;

        Match(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * One reference. The VM names the field, not the class that declares it.
     *
     * @param holder  class of the referring object; of a static field the class itself
     * @param field   name of the field; null for an element of an array
     * @param isStatic whether the field is static
     * @param index   index of the element; -1 for a field
     * @param skipped objects that the VM left out before the target
     * @param target  class of the object referred to
     */
    public record Step(String holder, String field, boolean isStatic, int index, int skipped, String target) {
        public Step {
            Objects.requireNonNull(holder, "holder");
            Objects.requireNonNull(target, "target");
        }

        /** For people: {@code com.acme.Registry.ACTIVE}, {@code java.lang.Object[17]}. */
        public String toText() {
            String step = field == null ? (holder.endsWith("[]") ? holder.substring(0, holder.length() - 2) : holder) + "[" + index + "]" : holder + "." + field;
            return (isStatic ? "static " : "") + step + (skipped > 0 ? " (… " + skipped + " left out)" : "");
        }
    }

    /**
     * The last field on the path, outside the JDK if there is one, through which a population is held: {@code com.acme.Keeper#kept}; the root where there
     * is no field.
     */
    public String holder() {
        Step last = null;
        Step lastOfProgram = null;
        for (Step step : path.subList(0, pile())) {
            if (step.field() != null) {
                last = step;
                lastOfProgram = ClassNames.ofJdk(step.holder()) ? lastOfProgram : step;
            }
        }
        Step named = lastOfProgram == null ? last : lastOfProgram;
        return named == null ? rootSystem + ", " + rootType : ClassNames.stable(named.holder()) + "#" + named.field();
    }

    /**
     * Class of the elements that are held there: the first one of the program behind the array that the elements lie in; where there is no array, or nothing of
     * the program behind it, the class of the object at the end.
     *
     * @param leaf class of the object asked about
     */
    public String owner(String leaf) {
        return path.subList(pile(), path.size()).stream().map(Step::target).filter(target -> !ClassNames.ofJdk(target) && target.indexOf('.') > 0 && !target.endsWith("[]"))
                .findFirst().orElse(leaf);
    }

    /** Place of the first element of an array behind a field of the program; the length of the path when there is none. */
    private int pile() {
        boolean ofProgram = false;
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).field() == null && ofProgram) {
                return i;
            }
            ofProgram |= path.get(i).field() != null && !ClassNames.ofJdk(path.get(i).holder());
        }
        return path.size();
    }

    /** Whether the other object is held in the same way as far as its path goes, wherever it lies in arrays: this one then hangs on one like it. */
    public boolean heldLike(RootConfirmation other) {
        if (!Objects.equals(rootSystem, other.rootSystem) || !Objects.equals(rootType, other.rootType) || !Objects.equals(rootClass, other.rootClass)
                || path.size() < other.path.size()) {
            return false;
        }
        for (int i = 0; i < other.path.size(); i++) {
            Step one = path.get(i);
            Step another = other.path.get(i);
            if (!one.holder().equals(another.holder()) || !Objects.equals(one.field(), another.field()) || !one.target().equals(another.target())) {
                return false;
            }
        }
        return true;
    }

    /** The root for people: {@code JNI Global, Global JNI Handle}. */
    public String rootText() {
        return rootSystem + ", " + rootType + (rootDetail == null ? "" : ", " + rootDetail);
    }
}
