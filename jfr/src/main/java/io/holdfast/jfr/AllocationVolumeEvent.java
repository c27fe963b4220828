package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;

@Name("holdfast.AllocationVolume")
@Label("Allocation Volume")
@Description("Estimated bytes allocated of late by one class, site or thread, the largest of each, written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class AllocationVolumeEvent extends Event {
    @Label("As Of")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    long sequence;

    @Label("Kind")
    @Description("class, site or thread; the same bytes are counted in each of the three")
    String kind;

    @Label("Rank")
    @Description("Place in the order of bytes; the rest comes last")
    int rank;

    @Label("Name")
    @Description("Class, site or thread; of the rest, which has the last rank, (rest)")
    String name;

    @Label("Allocated")
    @Description("Estimated from sample weights; older bytes count less, see the window in holdfast.Status")
    @DataAmount
    long bytes;

    @Label("Share")
    @Percentage
    double share;

    /** @param rank place of the row; the number of rows stands for the rest */
    static AllocationVolumeEvent of(String kind, AllocationVolumes.Table table, int rank, Texts texts) {
        AllocationVolumeEvent event = new AllocationVolumeEvent();
        boolean rest = rank == table.rows().size();
        event.kind = kind;
        event.rank = rank;
        event.name = rest ? "(rest)" : texts.name(table.rows().get(rank).name());
        event.bytes = rest ? table.otherBytes() : table.rows().get(rank).bytes();
        event.share = table.share(event.bytes);
        return event;
    }
}
