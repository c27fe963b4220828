package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.item.IAccessorKey;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** JDK Mission Control's own parser reads our recordings: types, labels, units and values as its event browser shows them. */
class MissionControlTest {
    @TempDir
    Path directory;

    private final Map<String, List<IItem>> items = new TreeMap<>();
    private final Map<String, IType<IItem>> types = new TreeMap<>();

    private void read(Findings findings) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (LeakEvents events = Leaks.events(() -> findings, new Counters(), Leak::id, () -> 9); Recording recording = new Recording()) {
            events.register();
            Await.until("the event types", events::registered);
            recording.start();
            events.projection(-1, 1_000_000, 9);
            recording.stop();
            recording.dump(file);
        }
        for (IItemIterable ofOneType : JfrLoaderToolkit.loadEvents(file.toFile())) {
            IType<IItem> type = ofOneType.getType();
            types.put(type.getIdentifier(), type);
            ofOneType.forEach(item -> items.computeIfAbsent(type.getIdentifier(), key -> new ArrayList<>()).add(item));
        }
    }

    @Test
    void itsEventBrowserShowsTypesLabelsUnitsAndValues() throws Exception {
        Object alive = new Object();
        read(new Findings(Leaks.SOME_TIME, Leaks.statusWithVolumes(), List.of(Leaks.session("4edcf1db"), Leaks.confirmed("90ab1234")),
                List.of(Leaks.sample(alive, "http-1", List.of("com.acme.Login.login(Login.java:42)")))));
        List<String> expected = new ArrayList<>(RegisteredEvents.NAMES);
        expected.removeAll(List.of("holdfast.SearchAbandoned", "holdfast.SearchCompleted", "holdfast.SearchPass")); // nothing of these has happened
        assertThat(items.keySet()).containsAll(expected);
        assertThat(types.get("holdfast.LeakCandidate").getName()).isEqualTo("Leak");

        assertThat(column("holdfast.LeakCandidate", "growthPerHour")).isEqualTo("Growth per Hour: memory");
        assertThat(column("holdfast.LeakCandidate", "share")).endsWith(": percentage");
        assertThat(column("holdfast.LeakCandidate", "firstSeen")).isEqualTo("First Seen: timestamp");
        assertThat(column("holdfast.LeakCandidate", "leakId")).isEqualTo("Leak Id: text");
        assertThat(column("holdfast.LeakConfirmation", "pause")).isEqualTo("Pause: timespan");
        assertThat(column("holdfast.AllocationVolume", "bytes")).isEqualTo("Allocated: memory");
        assertThat(column("holdfast.LiveObject", "objectClass")).endsWith(": class");
        assertThat(column("holdfast.HeapProjection", "floorBytes")).isEqualTo("Heap Floor: memory");

        IItem leak = items.get("holdfast.LeakCandidate").get(0);
        assertThat(text(leak, "leakId")).isEqualTo("4edcf1db");
        assertThat(text(leak, "owner")).isEqualTo("com.acme.Session");
        assertThat(((IQuantity) value(leak, "growthPerHour")).clampedLongValueIn(org.openjdk.jmc.common.unit.UnitLookup.BYTE)).isEqualTo(11_953_766);
        IItem confirmation = items.get("holdfast.LeakConfirmation").get(0);
        assertThat(text(confirmation, "leakId")).isEqualTo("90ab1234");
        assertThat(text(confirmation, "trace")).startsWith("JNI Global, Global JNI Handle, none that is known -> com.acme.sessions.Keeper\n");
        assertThat(((IQuantity) value(confirmation, "pause")).clampedLongValueIn(org.openjdk.jmc.common.unit.UnitLookup.NANOSECOND)).isEqualTo(42_275_000);
        assertThat(items.get("holdfast.ReferenceChainHop")).hasSize(4);
        assertThat(items.get("holdfast.AllocationVolume")).hasSize(2 + 1 + 1 + 3);
        assertThat(alive).isNotNull();
    }

    private String column(String type, String field) {
        return types.get(type).getAccessorKeys().entrySet().stream().filter(entry -> entry.getKey().getIdentifier().equals(field))
                .map(entry -> entry.getValue().getName() + ": " + entry.getKey().getContentType().getIdentifier()).findFirst().orElse("no such column");
    }

    private static String text(IItem item, String field) {
        return Texts.unpadded(String.valueOf(value(item, field)));
    }

    @SuppressWarnings("unchecked")
    private static Object value(IItem item, String field) {
        IType<IItem> type = (IType<IItem>) item.getType();
        IAccessorKey<?> key = type.getAccessorKeys().keySet().stream().filter(candidate -> candidate.getIdentifier().equals(field)).findFirst().orElseThrow();
        IMemberAccessor<?, IItem> accessor = type.getAccessor(key);
        return accessor.getMember(item);
    }
}
