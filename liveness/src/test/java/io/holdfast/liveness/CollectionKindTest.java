package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollectionKindTest {
    /** Names, actions and causes as JDK 17 and 25 were seen to announce them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            G1 Young Generation   | end of minor GC            | G1 Evacuation Pause | 7 | true  | EPOCH
            G1 Old Generation     | end of major GC            | System.gc()         | 1 | true  | DISPROVING
            G1 Concurrent GC      | end of concurrent GC pause | No GC               | 1 | true  | IGNORED
            G1 Concurrent GC      | end of concurrent GC pause | No GC               | 2 | true  | DISPROVING
            Copy                  | end of minor GC            | Allocation Failure  | 7 | true  | EPOCH
            MarkSweepCompact      | end of major GC            | Allocation Failure  | 7 | true  | DISPROVING
            PS Scavenge           | end of minor GC            | Allocation Failure  | 7 | true  | EPOCH
            PS MarkSweep          | end of major GC            | Ergonomics          | 7 | true  | DISPROVING
            Shenandoah Pauses     | Init Mark                  | Concurrent GC       | 7 | false | IGNORED
            Shenandoah Cycles     | end of GC cycle            | Concurrent GC       | 7 | false | DISPROVING
            Shenandoah Cycles     | end of GC cycle            | Concurrent GC       | 7 | true  | EPOCH
            Shenandoah Cycles     | end of GC cycle            | System.gc()         | 7 | true  | DISPROVING
            ZGC Pauses            | end of GC pause            | Proactive           | 7 | false | IGNORED
            ZGC Cycles            | end of GC cycle            | Proactive           | 7 | false | DISPROVING
            ZGC Minor Pauses      | end of GC pause            | Allocation Rate     | 7 | true  | IGNORED
            ZGC Minor Cycles      | end of GC cycle            | Allocation Rate     | 7 | true  | UNTELLING
            ZGC Major Pauses      | end of GC pause            | Warmup              | 7 | true  | IGNORED
            ZGC Major Cycles      | end of GC cycle            | Warmup              | 7 | true  | DISPROVING
            Some New Collector    | end of minor GC            | whatever            | 7 | true  | EPOCH
            Some New Collector    | end of major GC            | whatever            | 7 | true  | DISPROVING
            """)
    void tells_what_a_notification_says(String collector, String action, String cause, long id, boolean generational, CollectionKind kind) {
        assertThat(CollectionKind.of(collector, action, cause, id, generational)).isEqualTo(kind);
    }
}
