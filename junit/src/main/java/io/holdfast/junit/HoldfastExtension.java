package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives tests a {@link LeakAsserts} and carries out {@link LeakCheck}. Registers nothing global; nothing of it runs, and nothing is attached to the
 * JVM, until an assertion fails or a class is watched. Works on JUnit 5.12 and later, and on 6.
 */
public final class HoldfastExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(HoldfastExtension.class);
    private static final String TEST_INSTANCE = "the instance of the test class";

    /** Public: JUnit makes it. */
    public HoldfastExtension() { }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LeakAsserts.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return asserts(context);
    }

    private static LeakAsserts asserts(ExtensionContext context) {
        Map<String, Object> roots = new LinkedHashMap<>();
        context.getTestInstance().ifPresent(instance -> roots.put(TEST_INSTANCE, instance));
        LeakAsserts asserts = new LeakAsserts(Settings.of(context::getConfigurationParameter), Publisher.of(context), roots, Ticker.system());
        return leakCheck(context).map(LeakCheck::allowSoft).orElse(false) ? asserts.allowSoft() : asserts;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        LeakAsserts asserts = asserts(context);
        context.getStore(NAMESPACE).put(LeakAsserts.class, asserts);
        CurrentTest.begins(asserts);
        Optional<LeakCheck> check = leakCheck(context);
        if (check.isEmpty() || check.get().watch().length == 0) {
            return;
        }
        Ticker ticker = Ticker.system();
        Reckoning reckoning = new Reckoning(Settings.of(context::getConfigurationParameter), Publisher.of(context), Collector.ofThisJvm(), ticker,
                check.get().allowSoft(), Grace.none(ticker));
        InstanceWatch watch = InstanceWatch.begin(scopes(context), List.of(check.get().watch()), reckoning);
        context.getStore(NAMESPACE).put(InstanceWatch.class, watch);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        CurrentTest.ends();
        context.getStore(NAMESPACE).remove(LeakAsserts.class);
        InstanceWatch watch = context.getStore(NAMESPACE).remove(InstanceWatch.class, InstanceWatch.class);
        if (watch == null) {
            return;
        }
        if (context.getExecutionException().isPresent()) {
            watch.discard(); // the exception may hold what the test left behind, and says more
            return;
        }
        List<Object> goesWithTheTest = new ArrayList<>();
        context.getTestInstances().ifPresent(instances -> goesWithTheTest.addAll(instances.getAllInstances()));
        goesWithTheTest.add(context);
        watch.check(goesWithTheTest);
    }

    /** One for the whole run: parallel tests must know of each other. */
    @SuppressWarnings("deprecation") // the method that replaces it came after 5.12
    private static WatchScopes scopes(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(WatchScopes.class, key -> new WatchScopes(), WatchScopes.class);
    }

    private static Optional<LeakCheck> leakCheck(ExtensionContext context) {
        Optional<LeakCheck> ofMethod = AnnotationSupport.findAnnotation(context.getElement(), LeakCheck.class);
        if (ofMethod.isPresent()) {
            return ofMethod;
        }
        List<Class<?>> classes = new ArrayList<>(context.getEnclosingTestClasses());
        context.getTestClass().ifPresent(classes::add);
        for (int i = classes.size() - 1; i >= 0; i--) {
            Optional<LeakCheck> ofClass = AnnotationSupport.findAnnotation(classes.get(i), LeakCheck.class);
            if (ofClass.isPresent()) {
                return ofClass;
            }
        }
        return Optional.empty();
    }
}
