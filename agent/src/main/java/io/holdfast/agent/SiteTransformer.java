package io.holdfast.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts the wanted hooks into classes as they are loaded or retransformed. Sees every class that is loaded, on the loading thread, so for all others
 * it does one hash look-up, unless the interval lane wants all sites. Never throws.
 * A class is known by its name alone: classes of that name in several loaders share their sites.
 */
final class SiteTransformer implements ClassFileTransformer {
    private final ConcurrentHashMap<String, List<WantedSite>> wantedByClass = new ConcurrentHashMap<>();
    private final SiteRewriter rewriter;
    private final Outcome outcome;
    private volatile IntervalForm interval = IntervalForm.NONE;

    /** Learns what became of a class. Called on the thread that loads it; must be quick. */
    interface Outcome {
        /** Hooks were inserted, or refused. */
        void rewritten(String internalName, RewrittenClass result);

        /** The class file could not be read or written. */
        void failed(String internalName);
    }

    SiteTransformer(SiteRewriter rewriter, Outcome outcome) {
        this.rewriter = rewriter;
        this.outcome = outcome;
    }

    /** Sets the sites of a class; none = the class keeps its own bytes from its next transformation on. */
    void want(String internalName, List<WantedSite> sites) {
        if (sites.isEmpty()) {
            wantedByClass.remove(internalName);
        } else {
            wantedByClass.put(internalName, List.copyOf(sites));
        }
    }

    /** Sets what the interval lane wants of each class from its next transformation on. */
    void interval(IntervalForm form) {
        interval = form;
    }

    void wantNothing() {
        interval = IntervalForm.NONE;
        wantedByClass.clear();
    }

    @Override
    public byte[] transform(ClassLoader loader, String internalName, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        IntervalForm form = interval;
        List<WantedSite> wanted = internalName == null ? null : wantedByClass.get(internalName);
        if (wanted == null && form.allSites() && internalName != null && !ExcludedClasses.contains(internalName)) {
            wanted = List.of();
        }
        if (wanted == null) {
            return null;
        }
        try {
            RewrittenClass result = rewriter.rewrite(classFile, wanted, form);
            outcome.rewritten(internalName, result);
            return result.bytes();
        } catch (Throwable e) {
            // Newer class files than ASM knows, methods that grow too large, no memory: the class simply stays as it is.
            outcome.failed(internalName);
            return null;
        }
    }
}
