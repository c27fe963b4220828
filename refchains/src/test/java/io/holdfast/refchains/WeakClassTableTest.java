package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.refchains.test.heap.Redeployed;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class WeakClassTableTest {
    /** As many array classes as wanted, of distinct element classes. */
    private static List<Class<?>> types(int count, Random random) {
        List<Class<?>> elements = List.of(int.class, long.class, String.class, Object.class, List.class, Map.class, Random.class, byte.class);
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Class<?> type = elements.get(random.nextInt(elements.size()));
            for (int dimensions = random.nextInt(60); dimensions > 0; dimensions--) {
                type = type.arrayType();
            }
            types.add(type);
        }
        return types;
    }

    @Property(tries = 30)
    void answersAsAnIdentityMapDoes(@ForAll Random random, @ForAll @IntRange(max = 600) int count) {
        Map<Class<?>, Integer> model = new IdentityHashMap<>();
        WeakClassTable<Integer> table = new WeakClassTable<>();
        for (Class<?> type : types(count, random)) {
            assertThat(table.get(type)).isEqualTo(model.get(type));
            if (!model.containsKey(type)) {
                model.put(type, model.size());
                table.add(type, model.get(type));
            }
        }
        assertThat(table.size()).isEqualTo(model.size());
        model.forEach((type, number) -> assertThat(table.get(type)).isEqualTo(number));
        List<Class<?>> listed = new ArrayList<>();
        table.forEachClass(listed::add);
        assertThat(listed).containsExactlyInAnyOrderElementsOf(model.keySet());
    }

    @Example
    void forgetsUnloadedClassesAndKeepsTheOthers() throws Exception {
        WeakClassTable<Integer> table = new WeakClassTable<>();
        List<Class<?>> kept = new ArrayList<>();
        fill(table, kept);
        long end = System.nanoTime() + 300_000_000_000L;
        while (table.size() > kept.size() && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(table.size()).isEqualTo(kept.size());
        for (int i = 0; i < kept.size(); i++) {
            assertThat(table.get(kept.get(i))).isEqualTo(i);
        }
    }

    private static void fill(WeakClassTable<Integer> table, List<Class<?>> kept) throws ClassNotFoundException {
        for (int i = 0; i < 60; i++) {
            Class<?> type = Class.forName(Redeployed.class.getName(), false, new CopyingLoader(Redeployed.class.getName(), null));
            boolean keep = i % 3 == 0;
            table.add(type, keep ? kept.size() : -1);
            if (keep) {
                kept.add(type);
            }
        }
    }
}
