package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Hop;
import io.holdfast.core.SearchFinding;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The shortest explanation wins, in whatever order things are met. */
class RootPreferenceTest {
    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    @Test
    void whatIsMetBelowAnotherRootFirstIsExplainedByItsOwn() {
        Session session = new Session(0);
        Node held = new Node(1).first(session);
        Registry.active = new Node(0).first(held);
        Registry.other = held;
        // One admission a pass: the object is met below the first field before the second field is read.
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            SearchFinding finding = bench.seek(List.of(session)).start().finish(SearchBench.budget(1)).get(0);
            assertThat(finding.chains()).hasSize(1);
            assertThat(finding.chains().get(0).edges()).extracting(Hop::field).containsExactly("other", "first");
        }
    }
}
