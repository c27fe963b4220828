package io.holdfast.examples.shapes;

import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.util.List;
import java.util.Observable;
import java.util.Observer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Listeners that are added and never removed. */
@SuppressWarnings("deprecation")
final class ListenerShapes {
    private static final String P = "io.holdfast.examples.shapes.ListenerShapes$";

    private ListenerShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "copy-on-write-listeners",
                        60,
                        P + "View$Listener " + P + "View",
                        P + "Model#listeners",
                        Views::new),
                Shape.leak(
                        "property-change-support",
                        60,
                        P + "Form*",
                        P + "Bean#support java.beans.PropertyChangeSupport#map",
                        Forms::new),
                Shape.leak("observable", 60, P + "Chart", "java.util.Observable#obs", Charts::new),
                Shape.leak(
                        "log-handlers",
                        60,
                        P + "RequestHandler",
                        "java.util.logging.Logger#config"
                            + " java.util.logging.Logger$ConfigurationData#handlers",
                        LogHandlers::new));
    }

    static final class Model {
        static final Model INSTANCE = new Model();
        final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    }

    static final class View {
        final byte[] pixels = new byte[600];

        final class Listener implements Runnable {
            public void run() {
                pixels[0]++;
            }
        }

        void open() {
            Model.INSTANCE.listeners.add(new Listener());
        }
    }

    static final class Views implements Shape.Unit {
        public void run(long n) {
            new View().open();
        }
    }

    static final class Bean {
        static final Bean INSTANCE = new Bean();
        final PropertyChangeSupport support = new PropertyChangeSupport(this);
    }

    static final class Form implements PropertyChangeListener {
        final byte[] b = new byte[400];

        public void propertyChange(PropertyChangeEvent e) {
            b[0]++;
        }
    }

    static final class Forms implements Shape.Unit {
        public void run(long n) {
            Bean.INSTANCE.support.addPropertyChangeListener("name", new Form());
        }
    }

    static final class Feed extends Observable {
        static final Feed INSTANCE = new Feed();
    }

    static final class Chart implements Observer {
        final long[] points = new long[60];

        public void update(Observable o, Object arg) {
            points[0]++;
        }
    }

    static final class Charts implements Shape.Unit {
        public void run(long n) {
            Feed.INSTANCE.addObserver(new Chart());
        }
    }

    static final class RequestHandler extends Handler {
        final StringBuilder text = new StringBuilder(200);

        @Override
        public void publish(LogRecord r) {
            text.append(r.getMessage());
        }

        @Override
        public void flush() { }

        @Override
        public void close() { }
    }

    static final class LogHandlers implements Shape.Unit {
        static final Logger LOG = Logger.getLogger("shop.requests");

        public void run(long n) {
            LOG.addHandler(new RequestHandler());
        }
    }
}
