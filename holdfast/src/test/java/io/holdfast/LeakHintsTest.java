package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Accumulation;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakHintsTest {
    private static List<String> hints(RootKind kind, Hop... hops) {
        Accumulation accumulation = new Accumulation("java.lang.Thread#threadLocals", "java.lang.ThreadLocal$ThreadLocalMap", "a.A", 1, "s", () -> 1);
        return LeakHints.of(accumulation, List.of(new ReferenceChain(new GcRoot(kind, "label", null), List.of(hops), hops.length, false, 1, 1, Fixtures.NOON)));
    }

    @Test
    void eachShapeHasItsSentence() {
        assertThat(hints(RootKind.THREAD_LOCAL, new Hop("a.A", null, EdgeKind.CLASS_LOADER, null, -1, null, "b.Loader")))
                .hasSize(2).anyMatch(h -> h.contains("ThreadLocal.remove()")).anyMatch(h -> h.contains("class loader"));
        assertThat(hints(RootKind.STATIC_FIELD, Hop.field("a.A$Inner", "a.A$Inner", "this$0", "a.A"))).singleElement().asString().contains("a.A$Inner");
        assertThat(hints(RootKind.STATIC_FIELD, Hop.field("a.A", "a.A", "list", "java.util.ArrayList"))).isEmpty();
        assertThat(LeakHints.of(new Accumulation("a#b", "c", "d", 1, "s", () -> 1), List.of())).isEmpty();
        assertThat(LeakHints.of(new Accumulation("a#b", "c", "d", "expires", 1, "s", () -> 1, List.of(), List.of()), List.of(Fixtures.sessionChain("basket", "byte[]", 1))))
                .singleElement().asString().contains("field expires");
    }
}
