package io.holdfast.agent;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleFinder;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gets this JVM's {@link Instrumentation} without {@code -javaagent}: directly where {@code -Djdk.attach.allowAttachSelf=true} was given, else by a
 * helper JVM that attaches back. JDK 21 and later print a warning of their own for an agent that comes late, unless
 * {@code -XX:+EnableDynamicAgentLoading} is given.
 */
public final class SelfAttach {
    /** Long: a container that is short of CPU while its application starts gives the helper little of it. Nobody waits for us meanwhile. */
    static final long TIMEOUT_SECONDS = 120;
    private static final String ATTACH_MODULE = "jdk.attach";
    private static final String ALLOW_ATTACH_SELF = "jdk.attach.allowAttachSelf";
    private static final int MAX_OUTPUT_BYTES = 16_384;
    /** Variables that add options to every JVM: the helper must not get the application's agents and heap sizes. */
    private static final List<String> JVM_VARIABLES = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH");

    private SelfAttach() { }

    /**
     * Attaches; takes one to two seconds, at most about {@value #TIMEOUT_SECONDS} s. Never throws and prints nothing. Leaves one small class without
     * state in the system class loader; its temporary jar is deleted.
     */
    public static AttachResult attach() {
        try {
            Optional<String> forbidden = forbidden();
            if (forbidden.isPresent()) {
                return AttachResult.refused(forbidden.get());
            }
            try (HolderJar holder = HolderJar.write()) {
                return attach(holder);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return AttachResult.refused("attaching was interrupted");
        } catch (Exception | LinkageError e) {
            return AttachResult.refused("attaching failed: " + FailureText.of(e));
        }
    }

    /** What is known to fail is not tried: a JVM whose attach mechanism is off answers the attempt with a thread dump on its standard output. */
    private static Optional<String> forbidden() {
        if (ModuleFinder.ofSystem().find(ATTACH_MODULE).isEmpty()) {
            return Optional.of("this Java runtime has no module " + ATTACH_MODULE);
        }
        if ("true".equals(flag("DisableAttachMechanism"))) {
            return Optional.of("attaching is switched off (-XX:+DisableAttachMechanism)");
        }
        if ("false".equals(flag("EnableDynamicAgentLoading"))) {
            return Optional.of("loading agents into a running JVM is switched off (-XX:-EnableDynamicAgentLoading)");
        }
        return Optional.empty();
    }

    private static String flag(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
        } catch (RuntimeException | LinkageError unknown) {
            return "";
        }
    }

    private static AttachResult attach(HolderJar holder) throws Exception {
        String processId = Long.toString(ProcessHandle.current().pid());
        if (!attachDirectly(processId, holder.jar())) {
            String failure = attachByHelper(processId, holder);
            if (failure != null) {
                return AttachResult.refused(failure);
            }
        }
        Class<?> loaded = Class.forName(InstrumentationHolder.class.getName(), true, ClassLoader.getSystemClassLoader());
        Instrumentation instrumentation = (Instrumentation) loaded.getMethod("take").invoke(null);
        return instrumentation == null ? AttachResult.refused("the agent was loaded but not started") : AttachResult.attached(instrumentation);
    }

    private static boolean attachDirectly(String processId, Path jar) {
        String allowed = System.getProperty(ALLOW_ATTACH_SELF);
        if (!"".equals(allowed) && !"true".equals(allowed)) {
            return false;
        }
        try {
            AgentLoader.load(processId, jar.toString(), "");
            return true;
        } catch (Exception | LinkageError e) {
            return false; // Set too late, or the module is not resolved: the helper may still succeed.
        }
    }

    /** Why it failed, or null. */
    private static String attachByHelper(String processId, HolderJar holder) throws IOException, InterruptedException {
        Optional<Path> java = launcher();
        if (java.isEmpty()) {
            return "this Java runtime has no launcher (bin/java) for the helper that attaches";
        }
        ProcessBuilder builder = new ProcessBuilder(java.get().toString(), "-Xmx32m", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-XX:-UsePerfData", "--add-modules", ATTACH_MODULE, "-cp", holder.jar().toString(), AgentLoader.class.getName(), processId,
                holder.jar().toString());
        JVM_VARIABLES.forEach(builder.environment()::remove);
        // A file, not a pipe: nobody has to read while we wait.
        builder.redirectErrorStream(true).redirectOutput(holder.output().toFile());
        Process helper = builder.start();
        try {
            helper.getOutputStream().close();
            if (!helper.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return "the helper that attaches did not finish within " + TIMEOUT_SECONDS + " s";
            }
        } finally {
            if (helper.isAlive()) {
                helper.destroyForcibly().waitFor(1, TimeUnit.SECONDS);
            }
        }
        return helper.exitValue() == 0 ? null : "the helper that attaches failed: " + lastLine(holder.output(), helper.exitValue());
    }

    private static Optional<Path> launcher() {
        Path bin = Path.of(System.getProperty("java.home"), "bin");
        return List.of("java", "java.exe").stream().map(bin::resolve).filter(Files::isExecutable).findFirst();
    }

    private static String lastLine(Path output, int exitValue) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(output)) {
            bytes = in.readNBytes(MAX_OUTPUT_BYTES);
        }
        // Not UTF-8: the helper writes in the charset of the platform.
        return new String(bytes, Charset.defaultCharset()).lines().map(String::strip).filter(line -> !line.isEmpty())
                .reduce((first, second) -> second).orElse("exit status " + exitValue);
    }
}
