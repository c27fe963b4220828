package io.holdfast.refchains;

import io.holdfast.core.Counters;
import io.holdfast.core.Ticker;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/**
 * How much of the heap can be read, and from where a walk can start. Made once, used by the thread that walks. Holds no object, class or loader of
 * the application strongly, except the loader of Holdfast itself with its parents.
 *
 * <p>Levels, best first: {@code agent} (everything; classes from the VM), {@code trusted} (everything; classes from the loaders that can be found),
 * {@code plain} (reflection over open packages; no classes to start from unless there is an agent).
 */
public final class HeapAccess {
    /** With a trusted lookup and instrumentation. */
    public static final String AGENT = "agent";
    /** With a trusted lookup alone. */
    public static final String TRUSTED = "trusted";
    /** With neither, or on a VM that lacks what the lookup is needed for. */
    public static final String PLAIN = PlainHeapReader.ACCESS_LEVEL;

    /** Times a VM lacked what the trusted lookup is needed for. */
    static final String UNSUPPORTED = "refchains.access.unsupported";

    private final HeapReader reader;
    private final Roots roots;
    private final ClosedPackages closed;

    private HeapAccess(HeapReader reader, Roots roots, ClosedPackages closed) {
        this.reader = reader;
        this.roots = roots;
        this.closed = closed;
    }

    /** Takes the best level that what is given allows. Never throws on account of the VM. The lookup is kept in method handles, not handed on. */
    public static HeapAccess open(Optional<MethodHandles.Lookup> trusted, Optional<Instrumentation> instrumentation, Counters counters) {
        return open(trusted, instrumentation, counters, Ticker.system());
    }

    static HeapAccess open(Optional<MethodHandles.Lookup> trusted, Optional<Instrumentation> instrumentation, Counters counters, Ticker ticker) {
        WellKnownLoaders loaders = new WellKnownLoaders(HeapAccess.class.getClassLoader());
        ClosedPackages closed = new ClosedPackages(counters);
        if (trusted.isPresent()) {
            try {
                return trusted(trusted.get(), instrumentation, loaders, closed, counters, ticker);
            } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError unsupported) {
                counters.increment(UNSUPPORTED);
            }
        }
        PlainFields fields = new PlainFields(closed, loaders);
        HeapReader reader = new PlainHeapReader(fields, new PlanBuilder(fields, HeapAccess::loadedInPlainSight, loaders, counters));
        ClassListing classes = instrumentation.<ClassListing>map(agent -> agent::getAllLoadedClasses).orElse(() -> new Class<?>[0]);
        return new HeapAccess(reader, new SnapshotRoots(classes, new GroupedThreads(), loaders, ticker, counters), closed);
    }

    private static HeapAccess trusted(MethodHandles.Lookup lookup, Optional<Instrumentation> instrumentation, WellKnownLoaders loaders,
                                      ClosedPackages closed, Counters counters, Ticker ticker) throws ReflectiveOperationException, IOException {
        VmInternals vm = new VmInternals(lookup);
        FieldSource fields = new UnobtrusiveFields(new ReflectedFields(vm), new ConstantPoolFields(vm, lookup));
        PlanBuilder builder = new PlanBuilder(fields, vm, loaders, counters);
        TrustedHeapReader reader = new TrustedHeapReader(vm, builder, instrumentation.isPresent() ? AGENT : TRUSTED);
        ClassListing classes = instrumentation.<ClassListing>map(agent -> agent::getAllLoadedClasses)
                .orElseGet(() -> new ReachableLoaderClasses(reader, vm::threads, loaders));
        return new HeapAccess(reader, new SnapshotRoots(classes, vm::threads, loaders, ticker, counters), closed);
    }

    private static Class<?> loadedInPlainSight(ClassLoader loader, String binaryName) {
        return loader == null ? LoadedClassLookup.ofBootLoader(binaryName) : null;
    }

    HeapReader reader() {
        return reader;
    }

    Roots roots() {
        return roots;
    }

    /** {@link #AGENT}, {@link #TRUSTED} or {@link #PLAIN}. */
    public String level() {
        return reader.accessLevel();
    }

    /**
     * Packages that were met and could not be read, as {@code --add-opens} takes them ({@code java.base/java.lang}), sorted. Empty above the level
     * {@code plain}. Called by the thread that walks.
     */
    public List<String> closedPackages() {
        return closed.names();
    }
}
