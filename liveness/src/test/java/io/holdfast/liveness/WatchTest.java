package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.LeakCandidate;
import io.holdfast.liveness.World.Session;
import org.junit.jupiter.api.Test;

/** Objects given to {@code watch}. */
class WatchTest {
    @Test
    void a_watched_object_is_suspect_once_it_outlived_two_collections() {
        World world = new World();
        Session session = new Session();
        world.tracker.watch(session, "requests");
        world.collect();
        assertThat(world.tracker.hasCandidate()).isFalse();
        world.collect();
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.trend().evidence()).isEqualTo(Evidence.WATCHED);
        assertThat(candidate.instances()).hasSize(1);
        assertThat(candidate.instances().get(0).siteId()).isEqualTo(AllocationSample.WATCHED);
        assertThat(candidate.instances().get(0).reference().refersTo(null)).isFalse();
        assertThat(candidate.allocation().get(0).site()).isEqualTo("watched as requests");
        assertThat(candidate.allocation().get(0).threads()).containsExactly(Thread.currentThread().getName());
        assertThat(candidate.allocation().get(0).stack().get(0)).contains("a_watched_object_is_suspect_once_it_outlived_two_collections");
        assertThat(session).isNotNull();
    }

    @Test
    void a_watched_object_is_suspect_after_one_collection_that_proves() {
        World world = new World();
        Session session = new Session();
        world.tracker.watch(session, null);
        world.tracker.watch(null, "nothing");
        world.disprove();
        assertThat(world.candidates()).hasSize(1);
        assertThat(world.candidates().get(0).instances().get(0).disproved()).isTrue();
        assertThat(world.candidates().get(0).allocation().get(0).site()).isEqualTo("watched");
        assertThat(session).isNotNull();
    }
}
