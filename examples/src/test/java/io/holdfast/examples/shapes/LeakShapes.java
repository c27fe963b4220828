package io.holdfast.examples.shapes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Runs one shape beside healthy traffic: {@code LeakShapes NAME [SECONDS [RATE]]}. */
final class LeakShapes {
    /** The shape's program: its root, unless it has statics of its own. */
    static volatile Shape.Unit running;

    private LeakShapes() { }

    static List<Shape> all() {
        return Stream.of(MapShapes.all(), NodeShapes.all(), QueueShapes.all(), ListenerShapes.all(), ThreadShapes.all(), LoaderShapes.all(), RateShapes.all(),
                ReferenceShapes.all(), ControlShapes.all()).flatMap(List::stream).toList();
    }

    public static void main(String[] args) throws Exception {
        Shape shape = all().stream().filter(s -> s.name().equals(args[0])).findFirst().orElseThrow();
        running = shape.start().get();
        Traffic.start(20);
        for (Pacer pacer = new Pacer(Arrays.copyOfRange(args, 1, args.length), shape.rate()); pacer.next(); ) {
            running.run(pacer.done());
        }
        Pacer.exit();
    }
}
