package io.holdfast.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hears of every instance of chosen classes, subclasses included, whoever makes it and wherever: each constructor of the class tells a hook when it
 * returns. Exact, unlike the allocation hook, which samples; so it is for tests. Not heard of: instances made without a constructor (clones,
 * deserialised objects).
 *
 * <p>The hook class lives in {@code java.lang}, so every loader sees it; it stays, empty, until the JVM ends. {@link #close} restores the classes.
 * Any thread.
 */
public final class ConstructionWatch implements AutoCloseable {
    private final Instrumentation instrumentation;
    private final VarHandle sink;
    private final Consumer<Object> told;
    private final Transformer transformer = new Transformer();
    private final Map<Class<?>, Integer> watched = new HashMap<>();
    private boolean closed;

    private ConstructionWatch(Instrumentation instrumentation, VarHandle sink, Consumer<Object> told) {
        this.instrumentation = instrumentation;
        this.sink = sink;
        this.told = told;
    }

    /**
     * @param told called on the thread that makes the instance, with the finished instance of the watched class, which may be the unfinished one of a
     *             subclass: must be quick, must not throw, call nothing on the instance and not keep it
     * @return empty when this JVM does not let the hook in, or another one in this JVM uses it
     */
    public static Optional<ConstructionWatch> open(Instrumentation instrumentation, MethodHandles.Lookup trusted, Consumer<Object> told) {
        if (!instrumentation.isRetransformClassesSupported()) {
            return Optional.empty();
        }
        try {
            MethodHandles.Lookup lookup = trusted.in(Object.class);
            Class<?> hook = findOrDefine(lookup);
            VarHandle sink = lookup.in(hook).findStaticVarHandle(hook, ConstructionHook.SINK, Consumer.class);
            if (!sink.compareAndSet((Consumer<?>) null, (Consumer<?>) told)) {
                return Optional.empty();
            }
            ConstructionWatch watch = new ConstructionWatch(instrumentation, sink, told);
            instrumentation.addTransformer(watch.transformer, true);
            return Optional.of(watch);
        } catch (ReflectiveOperationException | LinkageError | RuntimeException refused) {
            return Optional.empty();
        }
    }

    private static Class<?> findOrDefine(MethodHandles.Lookup lookup) throws IllegalAccessException {
        try {
            return Class.forName(ConstructionHook.INTERNAL_NAME.replace('/', '.'), true, null);
        } catch (ClassNotFoundException absent) {
            Class<?> hook = lookup.defineClass(ConstructionHook.write());
            lookup.ensureInitialized(hook);
            return hook;
        }
    }

    /**
     * Watches a class from now on; once more if it is watched already. Stops the VM for 10 to 20 ms.
     *
     * @return why not; empty when it is watched
     */
    public synchronized Optional<String> add(Class<?> type) {
        if (closed) {
            return Optional.of("the watch is closed");
        }
        if (type.isInterface() || type.isArray() || type.isPrimitive() || type.isHidden()) {
            return Optional.of(type.getName() + " has no constructor that could tell");
        }
        if (type.getClassLoader() == null || ExcludedClasses.contains(type.getName().replace('.', '/')) || !instrumentation.isModifiableClass(type)) {
            return Optional.of(type.getName() + " belongs to the JDK or cannot be changed");
        }
        if (watched.merge(type, 1, Integer::sum) > 1) {
            return Optional.empty();
        }
        String failure = retransform(type, transformer.want(type));
        if (failure != null) {
            watched.remove(type);
            restore(type);
            return Optional.of(failure);
        }
        return Optional.empty();
    }

    /** The opposite of {@link #add}: when the last one is gone the class gets its own bytes back. */
    public synchronized void remove(Class<?> type) {
        Integer left = watched.computeIfPresent(type, (t, users) -> users - 1);
        if (left != null && left == 0) {
            watched.remove(type);
            restore(type);
        }
    }

    private String retransform(Class<?> type, Transformer.Wish wish) {
        try {
            instrumentation.retransformClasses(type);
            return wish.failure;
        } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
            return "retransforming " + type.getName() + " failed: " + FailureText.of(e);
        }
    }

    private void restore(Class<?> type) {
        transformer.forget(type);
        try {
            instrumentation.retransformClasses(type);
        } catch (UnmodifiableClassException | RuntimeException | LinkageError e) {
            // The hook stays in it and does nothing: the sink is gone, or does not know the class.
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            watched.keySet().forEach(this::restore);
            watched.clear();
            instrumentation.removeTransformer(transformer);
            sink.compareAndSet((Consumer<?>) told, (Consumer<?>) null);
        }
    }

    /** Changes the classes that are watched, when they are retransformed, and no others. */
    private static final class Transformer implements ClassFileTransformer {
        private final Map<Class<?>, Wish> wishes = new HashMap<>();

        /** What became of it. */
        private static final class Wish {
            private volatile String failure = "the JVM did not offer the class for retransformation";
        }

        synchronized Wish want(Class<?> type) {
            Wish wish = new Wish();
            wishes.put(type, wish);
            return wish;
        }

        synchronized void forget(Class<?> type) {
            wishes.remove(type);
        }

        private synchronized Wish wish(Class<?> type) {
            return wishes.get(type);
        }

        @Override
        public byte[] transform(ClassLoader loader, String internalName, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
            Wish wish = redefined == null ? null : wish(redefined);
            if (wish == null) {
                return null;
            }
            try {
                byte[] changed = rewrite(classFile);
                wish.failure = null;
                return changed;
            } catch (Throwable e) { // a newer class file than ASM knows, say
                wish.failure = "the class file of " + internalName.replace('/', '.') + " cannot be changed: " + FailureText.of(e);
                return null;
            }
        }
    }

    /** Puts {@code aload_0; invokestatic built} before each return of each constructor. */
    static byte[] rewrite(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new org.objectweb.asm.ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                return name.equals("<init>") ? new Constructor(method) : method;
            }
        }, 0);
        return writer.toByteArray();
    }

    private static final class Constructor extends MethodVisitor {
        Constructor(MethodVisitor method) {
            super(Opcodes.ASM9, method);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            if (opcode == Opcodes.ASTORE && variable == 0) {
                throw new IllegalStateException("a constructor overwrites this"); // no compiler writes it, but the format allows it
            }
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, ConstructionHook.INTERNAL_NAME, ConstructionHook.BUILT, ConstructionHook.DESCRIPTOR, false);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + 1, maxLocals);
        }
    }
}
