package io.holdfast.agent;

import com.sun.tools.attach.VirtualMachine;

/**
 * Loads an agent into a JVM by its process id. Also the main class of the helper JVM by which a JVM attaches to itself; copies of this class
 * and {@link FailureText} are all the helper has, so it refers to the JDK only.
 */
final class AgentLoader {
    private AgentLoader() { }

    /** Arguments: process id, path of the agent's jar. On failure the reason is the last line printed. */
    public static void main(String[] arguments) {
        try {
            load(arguments[0], arguments[1], "");
        } catch (Throwable e) {
            System.out.println(FailureText.of(e));
            System.exit(1);
        }
    }

    static void load(String processId, String jar, String options) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(processId);
        try {
            machine.loadAgent(jar, options);
        } finally {
            machine.detach();
        }
    }
}
