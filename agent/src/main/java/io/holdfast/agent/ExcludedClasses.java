package io.holdfast.agent;

import java.util.List;

/**
 * Classes that never get a hook: ours, what the hook's slow path itself runs through, and what the JVM treats in a special way. Internal names.
 */
final class ExcludedClasses {
    /** Package and class name prefixes; measured on JDK 17 and 25. */
    private static final List<String> PREFIXES = List.of(
            "java/lang/ThreadLocal", "java/lang/InheritableThreadLocal", "java/lang/ref/", "java/lang/instrument/", "java/lang/invoke/",
            "java/lang/StackStreamFactory", "java/lang/StackWalker", "java/lang/StackFrameInfo", "java/lang/LiveStackFrame",
            "java/lang/StackTraceElement", "java/lang/Throwable", "java/lang/VirtualThread", "java/lang/ThreadBuilders",
            "java/lang/Holdfast", "java/util/concurrent/atomic/",
            "jdk/internal/misc/", "jdk/internal/vm/", "jdk/internal/reflect/", "jdk/internal/ref/", "jdk/internal/event/", "jdk/internal/classfile/",
            "jdk/internal/org/objectweb/asm/", "jdk/jfr/", "jdk/internal/jfr/", "sun/instrument/", "sun/reflect/", "sun/misc/",
            "io/holdfast/core/", "io/holdfast/liveness/", "io/holdfast/refchains/", "io/holdfast/scheduler/", "io/holdfast/agent/",
            "io/holdfast/jfr/", "io/holdfast/shaded/", "org/jctools/", "org/HdrHistogram/", "org/slf4j/", "org/objectweb/asm/");
    private static final List<String> NAMES = List.of("java/lang/Object", "java/lang/Thread");
    private static final String OWN_PACKAGE = "io/holdfast/";

    private ExcludedClasses() { }

    static boolean contains(String internalName) {
        if (NAMES.contains(internalName) || internalName.startsWith("java/lang/Thread$")) {
            return true;
        }
        for (String prefix : PREFIXES) {
            if (internalName.startsWith(prefix)) {
                return true;
            }
        }
        // The package io.holdfast itself, but not its subpackages such as the examples; and relocated copies of ASM wherever they are.
        return (internalName.startsWith(OWN_PACKAGE) && internalName.indexOf('/', OWN_PACKAGE.length()) < 0)
                || internalName.contains("/objectweb/asm/");
    }
}
