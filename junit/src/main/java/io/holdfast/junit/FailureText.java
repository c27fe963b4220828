package io.holdfast.junit;

import io.holdfast.HeldBy;
import io.holdfast.core.ClassNames;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a failed assertion says: what was expected, root, chain, owner, likely cause, id, cost. Names of classes and fields only. */
final class FailureText {
    private static final int MAX_STEPS = 30;
    private static final int LABEL_COLUMN = 40;
    private static final String THREAD_LOCAL = "java.lang.ThreadLocal$";

    private FailureText() { }

    /** {@code headline} is a whole first sentence; {@code collections} says how the objects were proven alive. */
    static String of(String headline, String collections, HeldBy held, String baselineNote) {
        Leak leak = held.leak();
        StringBuilder text = new StringBuilder(headline).append("\n  ").append(collections).append("\n");
        if (leak.chains().isEmpty()) {
            text.append("\n  No chain: ").append(withoutChain(leak.outcome())).append('\n');
        } else {
            chain(text, leak, leak.chains().get(0));
            cause(text, leak, held);
        }
        text.append("  leak id ").append(leak.id()).append(" (").append(baselineNote).append("). Walk: ").append(count(held.objectsWalked())).append(" objects, ")
                .append(Math.round(held.elapsedNanos() / 1e6)).append(" ms, access level ").append(held.accessLevel()).append('.');
        if (!held.closedPackages().isEmpty()) {
            text.append("\n  Not walked, because closed: ").append(String.join(", ", held.closedPackages()))
                    .append(". Chains may be incomplete; open them with --add-opens PACKAGE=ALL-UNNAMED.");
        }
        if (leak.chains().isEmpty()) {
            text.append("\n  Cannot be seen from Java: local variables of other methods and threads, references of native code (JNI).");
        }
        return text.toString();
    }

    private static String withoutChain(String outcome) {
        return switch (outcome) {
            case "unreached" -> "it is alive, but no static field and no thread leads to it. Most often a local variable of a method that still runs holds it: "
                    + "the test's own, which must not keep what it asks about.";
            case "timeout" -> "the search took longer than its limit (" + Settings.SEARCH_SECONDS + ").";
            case "frontier_cap" -> "the heap is too large for the search's table; give the test JVM more memory (-Xmx).";
            default -> outcome + ".";
        };
    }

    private static void chain(StringBuilder text, Leak leak, ReferenceChain chain) {
        text.append("\n  GC Root: ").append(root(chain)).append('\n');
        List<Hop> steps = steps(chain.edges());
        String indent = "    ";
        int hidden = steps.size() - MAX_STEPS;
        for (int i = 0; i < steps.size(); i++) {
            if (hidden > 0 && i == MAX_STEPS / 2) {
                text.append(indent).append("\u2026 ").append(count((long) hidden + chain.totalHops() - chain.edges().size())).append(" more steps\n");
                i += hidden - 1;
                continue;
            }
            Hop step = steps.get(i);
            boolean last = i == steps.size() - 1;
            String label = indent + label(step);
            text.append(label).append(" ".repeat(Math.max(2, LABEL_COLUMN - label.length())));
            text.append(step.kind() == EdgeKind.STATIC_FIELD ? "static, " : "").append(step.target()).append(elements(leak, step));
            text.append(last ? "     <- leaked" : "").append('\n');
            indent = indent.length() < 24 ? indent + "  " : indent;
        }
        if (steps.isEmpty()) {
            text.append("    ").append(leak.sampledClasses().get(0)).append("     <- leaked\n");
        }
    }

    private static String root(ReferenceChain chain) {
        if (chain.root().kind() == RootKind.STATIC_FIELD) {
            return "static field";
        }
        if (chain.root().kind() == RootKind.STACK_LOCAL) {
            return chain.root().label();
        }
        String kind = chain.root().kind().word().replace('_', ' ');
        return chain.root().thread() == null ? kind + ": " + chain.root().label() : kind + " of thread \"" + chain.root().thread() + "\"";
    }

    /** The chain without the insides of the JDK's collections: their arrays, tables and nodes. */
    private static List<Hop> steps(List<Hop> edges) {
        List<Hop> shown = new ArrayList<>();
        for (int i = 0; i < edges.size(); i++) {
            if (i == edges.size() - 1 || !inside(edges.get(i))) {
                shown.add(edges.get(i));
            }
        }
        return shown;
    }

    private static boolean inside(Hop edge) {
        if (edge.holder().startsWith(THREAD_LOCAL) && edge.target().startsWith(THREAD_LOCAL)) {
            return true;
        }
        boolean ofCollection = edge.holder().startsWith("java.util.") || edge.kind() == EdgeKind.ELEMENT && edge.target().startsWith("java.util.");
        boolean storage = edge.target().endsWith("[]") || edge.target().startsWith("java.util.") && edge.target().contains("$");
        return ofCollection && storage;
    }

    private static String label(Hop step) {
        return switch (step.kind()) {
            case STATIC_FIELD -> step.declaringClass() + "." + step.field();
            case ELEMENT -> "[" + step.index() + "]";
            case CLASS_LOADER -> "(class loader of its class)";
            case CLASS -> "(class)";
            case SOFT_REFERENT -> "(soft reference)";
            case STACK_LOCAL -> step.local() == null ? "local variable" : "local " + step.local();
            case THREAD_LOCAL, INHERITABLE_THREAD_LOCAL -> "(thread-local)" + (step.local() == null ? "" : " " + step.local());
            case FIELD -> step.field();
        };
    }

    private static String elements(Leak leak, Hop step) {
        Leak.Growth place = leak.growth();
        boolean here = place != null && !ofThread(place) && step.field() != null && place.holder().equals(step.declaringClass() + "#" + step.field());
        return here && place.elements() > 0 ? ", " + count(place.elements()) + (place.elements() == 1 ? " element" : " elements") : "";
    }

    private static void cause(StringBuilder text, Leak leak, HeldBy held) {
        text.append("\n  likely cause: ");
        if (held.softly()) {
            text.append("a soft reference keeps it until memory is short; use allowSoft() where that is meant. ");
        }
        Leak.Growth place = leak.growth();
        if (place != null && ofThread(place)) {
            text.append("a thread that lives on still has it in a thread-local.");
        } else if (place != null) {
            String holder = shortened(place.holder());
            text.append(leak.className().endsWith("[]") && collection(place.containerClass())
                    ? "what is put behind " + holder + " is not taken out again." : place.elements() >= 0 || collection(place.containerClass())
                    ? ClassNames.simple(leak.className()) + " was put behind " + holder + " and nothing takes it out again."
                    : holder + " still refers to it: set it to null, or let go of the object that has the field.");
        } else {
            text.append("see the chain.");
        }
        leak.hints().forEach(hint -> text.append("\n  ").append(hint));
        text.append('\n');
    }

    private static boolean ofThread(Leak.Growth place) {
        return place.holder().startsWith("java.lang.Thread#");
    }

    private static boolean collection(String className) {
        return className.startsWith("java.util.") || className.endsWith("[]");
    }

    /** {@code com.acme.EventBus#LISTENERS} as {@code EventBus.LISTENERS}. */
    private static String shortened(String holder) {
        int hash = holder.indexOf('#');
        return hash < 0 ? holder : ClassNames.simple(ClassNames.stable(holder.substring(0, hash))) + "." + holder.substring(hash + 1);
    }

    static String holder(Leak leak) {
        return leak.growth() == null ? "" : leak.growth().holder().replace('#', '.');
    }

    static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n).replace(',', ' ');
    }
}
