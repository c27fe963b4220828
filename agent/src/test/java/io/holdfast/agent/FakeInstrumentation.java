package io.holdfast.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A JVM of a few classes: transforms them as told, and refuses batches that hold a bad one. Changes nothing. */
final class FakeInstrumentation implements InvocationHandler {
    private final List<Class<?>> loaded;
    private final List<ClassFileTransformer> transformers = new ArrayList<>();
    /** Sizes of the batches that were tried. */
    final List<Integer> batches = new ArrayList<>();
    final Map<Class<?>, byte[]> current = new HashMap<>();
    final Set<Class<?>> bad = new HashSet<>();
    final Set<Class<?>> notModifiable = new HashSet<>();

    FakeInstrumentation(Class<?>... loaded) {
        this.loaded = List.of(loaded);
    }

    Instrumentation asInstrumentation() {
        return (Instrumentation) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Instrumentation.class}, this);
    }

    int transformers() {
        return transformers.size();
    }

    /** What a loading class of that name would become; null = its own bytes. */
    byte[] load(Class<?> type) throws Exception {
        return load(type.getName().replace('.', '/'), RewritingLoader.classFile(type.getName()));
    }

    byte[] load(String internalName, byte[] classFile) throws Exception {
        byte[] bytes = null;
        for (ClassFileTransformer transformer : transformers) {
            byte[] made = transformer.transform(null, internalName, null, null, classFile);
            bytes = made == null ? bytes : made;
        }
        return bytes;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "isRetransformClassesSupported":
                return true;
            case "isModifiableClass":
                return !notModifiable.contains(arguments[0]);
            case "getObjectSize":
                return 16L;
            case "getAllLoadedClasses":
                return loaded.toArray(Class<?>[]::new);
            case "addTransformer":
                transformers.add((ClassFileTransformer) arguments[0]);
                return null;
            case "removeTransformer":
                return transformers.remove(arguments[0]);
            case "retransformClasses":
                retransform((Class<?>[]) arguments[0]);
                return null;
            default:
                throw new UnsupportedOperationException(method.getName());
        }
    }

    private void retransform(Class<?>[] classes) throws Exception {
        batches.add(classes.length);
        Map<Class<?>, byte[]> made = new HashMap<>();
        for (Class<?> type : classes) {
            made.put(type, load(type));
        }
        for (Class<?> type : classes) {
            if (bad.contains(type)) {
                throw new VerifyError("bad");
            }
        }
        current.putAll(made);
    }
}
