package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.refchains.test.heap.Fixtures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShapeRulesTest {
    private static final LoadedClassLookup LOADED = (loader, name) -> {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException absent) {
            return null;
        }
    };

    /** A persistent map as libraries write it. */
    abstract static class LibraryMap implements Map<String, Object> {
        static final class Leaf {
            static final class Cell { }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {HashMap.class, ArrayList.class, ConcurrentHashMap.class, ConcurrentLinkedQueue.class, Optional.class, AtomicReference.class,
        AtomicReferenceArray.class, Object[].class, int[].class, Map.Entry.class, LibraryMap.class, LibraryMap.Leaf.class, LibraryMap.Leaf.Cell.class})
    void isPartOfACollection(Class<?> type) {
        assertThat(ShapeRules.collectionInternal(type, LOADED)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.HashMap$Node", "java.util.HashMap$TreeNode", "java.util.LinkedList$Node", "java.util.ArrayList$Itr",
        "java.util.concurrent.ConcurrentHashMap$Node", "java.util.concurrent.ConcurrentLinkedQueue$Node", "java.util.ImmutableCollections$ListN",
        "java.util.concurrent.ConcurrentSkipListMap$Index", "java.lang.ThreadLocal$ThreadLocalMap", "java.lang.ThreadLocal$ThreadLocalMap$Entry",
        "java.util.WeakHashMap$Entry", "java.util.Collections$SynchronizedMap"})
    void isPartOfAJdkCollection(String name) throws Exception {
        assertThat(ShapeRules.collectionInternal(Class.forName(name), LOADED)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Fixtures.Pair.class, ShapeRulesTest.class, java.util.Date.class, java.util.concurrent.atomic.AtomicLong.class})
    void saysSomethingByItsNumber(Class<?> type) {
        assertThat(ShapeRules.counted(type, LOADED)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Object.class, String.class, Integer.class, java.util.UUID.class, java.time.Instant.class, int[].class, Fixtures.Pair[].class, Thread.State.class,
        java.util.concurrent.TimeUnit.class, HashMap.class, Map.Entry.class, LibraryMap.Leaf.class})
    void saysNothingByItsNumber(Class<?> type) {
        assertThat(ShapeRules.counted(type, LOADED)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(classes = {Object.class, String.class, Fixtures.Registry.class, Fixtures.Pair.class, ThreadPoolExecutor.class, FutureTask.class,
        java.util.Date.class, java.util.UUID.class, Collections.class, ThreadLocal.class, Thread.class, ShapeRulesTest.class})
    void isNotPartOfACollection(Class<?> type) {
        assertThat(ShapeRules.collectionInternal(type, LOADED)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.holdfast.Holdfast", "io.holdfast.core.Leak", "io.holdfast.refchains.HeapAccess", "io.holdfast.agent.hook.Hook",
        "io.holdfast.shaded.asm.ClassReader", "java.lang.HoldfastHook"})
    void isOurs(String name) {
        assertThat(OwnCode.owns(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.holdfast.examples.SessionLeak", "io.holdfast.refchains.test.Node", "io.holdfast.agent.demo.Leak", "io.holdfastness.Core",
        "java.lang.String", "com.acme.io.holdfast.core.Leak"})
    void isNotOurs(String name) {
        assertThat(OwnCode.owns(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdfast", "holdfast-watchdog", "JFR Periodic Tasks", "JFR Recorder Thread"})
    void isOurThread(String name) {
        assertThat(OwnCode.owns(new Thread(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "holdfasting", "http-1", "JFRoutine"})
    void isAThreadOfTheApplication(String name) {
        assertThat(OwnCode.owns(new Thread(name))).isFalse();
    }

    @Test
    void ownsArraysOfItsClasses() {
        assertThat(OwnCode.owns(HeapAccess[][].class)).isTrue();
        assertThat(OwnCode.owns(List[].class)).isFalse();
    }
}
