package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastBuilder;
import io.holdfast.ReportListener;
import io.holdfast.core.LeakListener;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.SmartApplicationListener;

/**
 * Starts Holdfast when the application is ready, so that what it allocates while it starts is not taken for growth, and stops it when the context begins to
 * close. Where Holdfast runs already, its findings are shown and it is left running.
 */
final class HoldfastLifecycle implements RunningHoldfast, SmartApplicationListener, ApplicationContextAware, DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final HoldfastProperties properties;
    private final Supplier<List<LeakListener>> leakListeners;
    private final Supplier<List<ReportListener>> reportListeners;
    private final BooleanSupplier nativeImage;
    private ApplicationContext context;
    private volatile Holdfast started;
    private volatile Holdfast shared;
    private Runnable leaveShared = () -> { };
    private boolean closed;

    /** Listeners are beans of the application; they are asked for only when there is something to tell. */
    HoldfastLifecycle(HoldfastProperties properties, Supplier<List<LeakListener>> leakListeners, Supplier<List<ReportListener>> reportListeners,
            BooleanSupplier nativeImage) {
        List<String> problems = properties.toBuilder().problems();
        if (!problems.isEmpty()) {
            throw new InvalidHoldfastPropertiesException(problems);
        }
        this.properties = properties;
        this.leakListeners = leakListeners;
        this.reportListeners = reportListeners;
        this.nativeImage = nativeImage;
    }

    @Override
    public void setApplicationContext(ApplicationContext applicationContext) {
        context = applicationContext;
    }

    @Override
    public boolean supportsEventType(Class<? extends ApplicationEvent> type) {
        return ApplicationReadyEvent.class.isAssignableFrom(type) || ContextClosedEvent.class.isAssignableFrom(type);
    }

    /** Events of a child context arrive here too. */
    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event instanceof ApplicationReadyEvent ready && ready.getApplicationContext() == context) {
            start();
        } else if (event instanceof ApplicationContextEvent closing && closing.getApplicationContext() == context) {
            stop();
        }
    }

    /** Takes no lock: a listener may ask from the Holdfast thread while that thread is waited for. */
    @Override
    public Optional<Holdfast> get() {
        Holdfast own = started;
        return own != null ? Optional.of(own) : Holdfast.current().filter(running -> running == shared);
    }

    private synchronized void start() {
        if (closed || started != null || shared != null) {
            return;
        }
        if (nativeImage.getAsBoolean()) {
            LOG.info("Holdfast is not started: a native image has neither classes to instrument nor a heap that can be walked.");
            return;
        }
        try {
            HoldfastBuilder builder = properties.toBuilder().startedBy("Spring context '" + context.getId() + "'");
            leakListeners.get().forEach(builder::onLeak);
            reportListeners.get().forEach(builder::onReport);
            started = builder.startIfNotRunning().orElse(null);
            if (started == null) {
                share();
            }
        } catch (RuntimeException | LinkageError e) { // the application is ready, and stays so
            LOG.error("Holdfast is not started: {}: {}", e.getClass().getSimpleName(), e.getMessage());
        }
    }

    private void share() {
        Holdfast running = Holdfast.current().orElse(null);
        if (running == null) {
            LOG.info("Holdfast runs already in this JVM ({}), in another class loader: this context has no findings to show.",
                    Holdfast.startedBy().orElse("ended meanwhile"));
            return;
        }
        shared = running;
        LOG.info("Holdfast runs already in this JVM ({}): this context shows its findings and leaves it running; its own settings are not used.",
                Holdfast.startedBy().orElse("ended meanwhile"));
        List<LeakListener> leaks = leakListeners.get();
        List<ReportListener> reports = reportListeners.get();
        leaks.forEach(running::onLeak);
        reports.forEach(running::onReport);
        leaveShared = () -> {
            leaks.forEach(running::removeListener);
            reports.forEach(running::removeListener);
        };
    }

    private synchronized void stop() {
        closed = true;
        Holdfast own = started;
        if (own != null) {
            own.close();
            started = null;
        }
        leaveShared.run();
        leaveShared = () -> { };
        shared = null;
    }

    /** For a context that ends without having announced it. */
    @Override
    public void destroy() {
        stop();
    }
}
