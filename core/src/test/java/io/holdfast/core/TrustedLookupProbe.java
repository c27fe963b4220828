package io.holdfast.core;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Optional;

/** Program and agent that {@link TrustedLookupTest} runs in a VM of its own. Prints one fact a line. */
final class TrustedLookupProbe {
    private TrustedLookupProbe() { }

    public static void premain(String arguments, Instrumentation instrumentation) {
        report(TrustedLookup.fromInstrumentation(instrumentation));
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            report(TrustedLookup.fromUnsafe());
        }
        System.out.println("open to the application: " + Object.class.getModule().isOpen("java.lang.invoke", TrustedLookupProbe.class.getModule()));
    }

    private static void report(Optional<MethodHandles.Lookup> lookup) {
        System.out.println("present: " + lookup.isPresent());
        lookup.ifPresent(trusted -> {
            try {
                // filtered by reflection and private: only a trusted lookup finds it
                System.out.println("reads: " + (trusted.findVarHandle(Thread.class, "threadLocals", Class.forName("java.lang.ThreadLocal$ThreadLocalMap")) != null));
            } catch (ReflectiveOperationException refused) {
                System.out.println("reads: " + refused);
            }
        });
    }
}
