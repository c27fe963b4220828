package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.TrackedInstance;
import io.holdfast.liveness.World.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Section 9 of the specification: leak tags and their incarnations. Ours are 64-bit sequence numbers that no one gets twice, so there is no pool to exhaust and
 * no incarnation to compare.
 */
class LeakTagsTest {
    @Property(tries = 50)
    void a_number_belongs_to_one_object_for_ever(@ForAll @Size(min = 4, max = 20) List<@IntRange(max = 6) Integer> deathsPerEpoch) {
        World world = new World(new LivenessSettings(64, 1, true, true, 0, 1));
        Map<Long, Object> owners = new HashMap<>();
        List<Held> held = new ArrayList<>();
        for (int deaths : deathsPerEpoch) {
            for (int i = 0; i < 6; i++) {
                held.add(world.allocate(new World.Session(), 3));
            }
            world.tracker.maintain(world.nanos);
            for (int i = 0; i < deaths && !held.isEmpty(); i++) {
                held.remove(0).die();
            }
            world.collect();
            world.candidates().forEach(candidate -> {
                for (TrackedInstance instance : candidate.instances()) {
                    Object object = instance.reference().get();
                    Object owner = owners.putIfAbsent(instance.sequence(), object);
                    assertThat(owner == null || owner == object).as("number %d", instance.sequence()).isTrue();
                }
            });
        }
        assertThat(new java.util.HashSet<>(owners.values())).as("an object has one number").hasSize(owners.size());
    }
}
