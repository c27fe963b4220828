package io.holdfast;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.ClassNames;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import java.util.List;
import java.util.Locale;

/**
 * A leak as a block of text, the same in the log, in events and in exceptions. Names of classes and fields only: no keys, no values.
 */
final class LeakText {
    /** Hops shown of a long chain; the middle is left out. */
    static final int MAX_HOPS_SHOWN = 24;
    private static final int MAX_STACK_FRAMES = 6;

    private LeakText() { }

    static String render(Leak leak) {
        StringBuilder out = new StringBuilder();
        headline(out, leak);
        if (leak.growth() != null) {
            out.append("\n  held by       ").append(holder(leak.growth().holder()));
            out.append("  (").append(ClassNames.simple(leak.growth().containerClass())).append(", ");
            if (leak.growth().elements() < 0) {
                out.append("too large to count)");
            } else {
                out.append(count(leak.growth().elements())).append(" elements, ").append(signed(leak.growth().elementsPerHour())).append("/h)");
            }
        }
        for (AllocationEvidence evidence : leak.allocation().subList(0, Math.min(3, leak.allocation().size()))) {
            out.append("\n  allocated at  ").append(evidence.site());
            if (!evidence.threads().isEmpty()) {
                out.append("  on ").append(evidence.threads().get(0));
            }
            appendCaller(out, evidence);
        }
        if (leak.chains().isEmpty()) {
            out.append("\n\n  No chain: ").append(leak.outcome()).append('.');
        } else {
            chain(out, leak);
        }
        confirmation(out, leak.confirmation());
        leak.hints().forEach(hint -> out.append("\n  hint: ").append(hint));
        return out.toString();
    }

    /** Apart from the chains: these references were not read again by us, and the VM's root need not be the most durable one. */
    private static void confirmation(StringBuilder out, RootConfirmation answer) {
        if (answer == null) {
            return;
        }
        out.append("\n\n  The VM, asked once (").append(RootConfirmation.SOURCE).append("; the application stood still for ")
                .append(RootConfirmations.tenths(answer.pauseNanos())).append(" ms), ");
        switch (answer.outcome()) {
            case NO_SAMPLE -> out.append("knew no such object among its ").append(answer.samples()).append(" samples.");
            case NO_PATH -> out.append("knew ").append(answer.matched()).append(" such objects, but no path to one of them.");
            case CHAIN -> path(out, answer);
        }
    }

    private static void path(StringBuilder out, RootConfirmation answer) {
        out.append("says: ").append(answer.rootText()).append("\n    ").append(answer.rootClass());
        int hidden = answer.path().size() - MAX_HOPS_SHOWN;
        for (int i = 0; i < answer.path().size(); i++) {
            if (hidden > 0 && i == MAX_HOPS_SHOWN / 2) {
                out.append("\n      \u2026 ").append(hidden).append(" more");
                i += hidden - 1;
                continue;
            }
            RootConfirmation.Step step = answer.path().get(i);
            out.append("\n      \u2193 ").append(step.toText()).append("  \u2192 ").append(step.target());
        }
        out.append("\n  ").append(answer.matched()).append(answer.matched() == 1 ? " object" : " objects").append(" matched by ").append(
                answer.match() == RootConfirmation.Match.CLASS_AND_SITE ? "class and allocation site" : "class and time of allocation only")
                .append("; not read again by Holdfast.");
    }

    private static void headline(StringBuilder out, Leak leak) {
        LiveEstimate live = leak.live();
        out.append("LEAK ").append(leak.id()).append("  ").append(leak.className());
        if (live.bytesPerHour() > 0) {
            out.append("  +").append(bytes(live.bytesPerHour())).append("/h");
        }
        out.append("  ").append(live.tracked()).append(" sampled instances survive  ").append(leak.state().name());
    }

    /** The first frame outside the JDK says more than the constructor of a HashMap node. */
    private static void appendCaller(StringBuilder out, AllocationEvidence evidence) {
        if (!evidence.site().startsWith("java.")) {
            return;
        }
        evidence.stack().stream().limit(64).filter(f -> !isJdk(f)).findFirst().ifPresent(f -> out.append("\n                from ").append(f));
    }

    private static boolean isJdk(String frame) {
        return ClassNames.ofJdk(frame.substring(frame.indexOf('/') + 1));
    }

    private static void chain(StringBuilder out, Leak leak) {
        ReferenceChain chain = leak.chains().get(0);
        GcRoot root = chain.root();
        boolean local = root.kind() == RootKind.STACK_LOCAL;
        out.append("\n\n  \u252c\u2500\u2500\u2500\n  \u2502 GC Root: ").append(local ? root.label() : root.kind().word().replace('_', ' '));
        if (root.thread() != null && !local) {
            out.append(" \"").append(root.thread()).append('"');
        }
        out.append("\n  \u2502");
        List<Hop> edges = chain.edges();
        int hidden = edges.size() - MAX_HOPS_SHOWN;
        for (int i = 0; i < edges.size(); i++) {
            if (hidden > 0 && i == MAX_HOPS_SHOWN / 2) {
                out.append("\n  \u2502  \u2026 ").append(hidden + chain.totalHops() - edges.size()).append(" more hops");
                i += hidden - 1;
                continue;
            }
            hop(out, leak, edges.get(i));
        }
        String leaf = edges.isEmpty() ? root.label() : chain.leafClass();
        out.append("\n  \u2570\u2192 ").append(leaf);
        if (!leaf.equals(leak.className())) {
            out.append(edges.isEmpty() || sampled(leak, leaf) ? "   (sampled leaf)" : "   (held by each)");
        }
        out.append("\n\n  ").append(percent(chain.share())).append(" of the sampled instances share this path");
        if (leak.chains().size() > 1) {
            out.append("; ").append(leak.chains().size() - 1).append(" other path").append(leak.chains().size() == 2 ? "" : "s").append(" in the report");
        }
        out.append(". Read again from the root at ").append(chain.validatedAt()).append('.');
        leak.allocation().stream().filter(e -> !e.stack().isEmpty()).findFirst().ifPresent(e -> {
            out.append("\n  allocation stack");
            e.stack().stream().limit(MAX_STACK_FRAMES).forEach(f -> out.append("\n      at ").append(f));
        });
    }

    /** The class of a lambda has another number after the class around it was changed. */
    private static boolean sampled(Leak leak, String leaf) {
        return leak.sampledClasses().stream().map(ClassNames::stable).anyMatch(ClassNames.stable(leaf)::equals);
    }

    private static void hop(StringBuilder out, Leak leak, Hop edge) {
        boolean suspect = leak.growth() != null && edge.field() != null && leak.growth().holder().equals(edge.declaringClass() + "#" + edge.field());
        String step = switch (edge.kind()) {
            case STATIC_FIELD -> "static " + simpleNested(edge.declaringClass()) + "." + edge.field();
            case ELEMENT -> "[" + edge.index() + "]";
            case CLASS_LOADER -> "(class loader of its class)";
            case CLASS -> "(class)";
            case SOFT_REFERENT -> "(soft)";
            case STACK_LOCAL -> edge.local() == null ? "local variable" : "local " + edge.local();
            default -> simpleNested(edge.declaringClass()) + "." + edge.field() + (edge.local() == null ? "" : " (" + edge.local() + ")");
        };
        out.append("\n  \u251c\u2500 ").append(edge.holder()).append(edge.kind() == EdgeKind.STATIC_FIELD ? " class" : "");
        if (edge.holder().equals(leak.className())) {
            out.append("   (leaks)");
        }
        out.append("\n  \u2502    \u2193 ").append(step);
        if (suspect) {
            int start = step.length() - edge.field().length();
            out.append("\n  \u2502      ").append(" ".repeat(Math.max(0, start))).append("~".repeat(edge.field().length()));
        }
    }

    private static String holder(String holder) {
        return holder.replace('#', '.');
    }

    private static String simpleNested(String className) {
        String simple = ClassNames.simple(className);
        return simple.substring(simple.lastIndexOf('$') + 1);
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    private static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n).replace(',', ' ');
    }

    private static String signed(double n) {
        return (n < 0 ? "-" : "+") + count(Math.round(Math.abs(n)));
    }

    static String bytes(long bytes) {
        if (bytes < 10_000) {
            return bytes + " B";
        }
        if (bytes < 10_000_000) {
            return bytes / 1_000 + " kB";
        }
        return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
    }
}
