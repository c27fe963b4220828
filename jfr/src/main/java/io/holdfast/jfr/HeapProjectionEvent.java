package io.holdfast.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Unsigned;

@Name("holdfast.HeapProjection")
@Label("Heap Projection")
@Description("When the heap will be exhausted if it goes on growing as it does; once a collection, and the last one again when a chunk begins")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("beginChunk")
final class HeapProjectionEvent extends Event {
    @Label("Sequence")
    long sequence;

    @Label("Seconds to Exhaustion")
    @Description("-1 = no projection")
    double secondsToExhaustion;

    @Label("Heap Floor")
    @Description("Used heap after the last collection")
    @DataAmount
    long floorBytes;

    @Label("Epoch")
    @Description("Finished collections so far")
    @Unsigned
    long epoch;
}
