package com.acme.shop;

import static io.holdfast.junit.HeapAssertions.assertThatHeap;

import io.holdfast.junit.HoldfastExtension;
import io.holdfast.junit.LeakAsserts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@ExtendWith(HoldfastExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
class LoaderScenario {
    private Object plugin;

    /** An application that is deployed and undeployed. */
    private static final class PluginLoader extends ClassLoader {
        Object plugin() {
            String name = Session.class.getName();
            try (InputStream in = Session.class.getResourceAsStream("Session.class");
                    InputStream inner = Session.class.getResourceAsStream("Session$1.class")) {
                byte[] bytes = in.readAllBytes();
                byte[] innerBytes = inner.readAllBytes();
                defineClass(name + "$1", innerBytes, 0, innerBytes.length);
                return defineClass(name, bytes, 0, bytes.length).getConstructor().newInstance();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @AfterEach
    void clear() {
        EventBus.CONTEXT.remove();
        EventBus.last = null;
    }

    @Test
    void passUndeployed(LeakAsserts leaks) {
        leaks.assertClassLoaderCollectable(() -> {
            PluginLoader loader = new PluginLoader();
            loader.plugin();
            return loader;
        });
    }

    @Test
    void passAfterRedeploy() {
        plugin = new PluginLoader().plugin();
        assertThatHeap().after(() -> plugin = new PluginLoader().plugin()).classLoaderOf(plugin).isCollectable();
    }

    @Test
    void failThreadLocal(LeakAsserts leaks) {
        leaks.assertClassLoaderCollectable(() -> {
            PluginLoader loader = new PluginLoader();
            EventBus.CONTEXT.set(loader.plugin());
            return loader;
        });
    }

    @Test
    void failObjectOfAClass() {
        plugin = new PluginLoader().plugin();
        EventBus.last = plugin;
        assertThatHeap().after(() -> plugin = null).classLoaderOf(plugin).isCollectable();
    }

    @Test
    void errorTheJdksLoader() {
        assertThatHeap().classLoaderOf("text");
    }
}
