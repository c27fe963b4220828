package io.holdfast.scheduler;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Makes the one background thread so that it keeps nothing of whoever started it alive. */
final class HoldfastThread {
    static final String NAME = "holdfast";

    private HoldfastThread() { }

    /*
     * A new thread inherits from its creator the context class loader, the inheritable thread-locals, the thread group and, up to JDK 23, the
     * protection domains of every class on the creating stack. Each of them can pin a web application that merely called start(). So: no
     * loader, no thread-locals, the root group, and a privileged action, which cuts the stack to our own class.
     */
    static Thread create(Runnable body) {
        try {
            return createPrivileged(body);
        } catch (LinkageError removed) {
            // A JDK without AccessController: nothing is inherited through it either.
            return createPlain(body);
        }
    }

    @SuppressWarnings("removal")
    private static Thread createPrivileged(Runnable body) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> createPlain(body));
    }

    private static Thread createPlain(Runnable body) {
        Thread thread = new Thread(rootGroup(), body, NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.setPriority(Thread.NORM_PRIORITY);
        return thread;
    }

    private static ThreadGroup rootGroup() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group != null && group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }
}
