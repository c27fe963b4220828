package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The whole tracker against a plain model that keeps everything and recomputes everything. */
class LivenessModelTest {
    private static final double ROUNDING = 1e-9;

    /** A life of the program: allocations, deaths, collections of all kinds, several between two folds, and restarts. */
    @Property(tries = 60)
    void table_histories_and_selection_agree_with_a_plain_model(@ForAll @LongRange(min = 0, max = 1L << 40) long seed,
                                                                @ForAll @IntRange(min = 20, max = 60) int epochs,
                                                                @ForAll @IntRange(max = 60) int deathPercent) {
        java.util.Random random = new java.util.Random(seed);
        World world = new World(World.TREND_ONLY);
        Model model = new Model();
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int i = random.nextInt(8); i > 0; i--) {
                int type = random.nextInt(3);
                Object object = type == 0 ? new World.Session() : type == 1 ? new World.Order() : new World.Node();
                long thread = 1 + random.nextInt(3);
                model.objects.add(new Model.Live(world.allocate(object, type, thread), object.getClass().getName(), thread, world.epochs.epoch()));
            }
            world.tracker.maintain(world.nanos);
            model.objects.removeIf(object -> {
                boolean dies = object.type.endsWith("Session") ? random.nextInt(1_000) < deathPercent : random.nextInt(100) < deathPercent;
                if (dies) {
                    object.held.die();
                }
                return dies;
            });
            for (int collections = 1 + random.nextInt(3) / 2; collections > 0; collections--) {
                world.epochs.advance(random.nextBoolean());
            }
            world.secondPasses();
            model.fold(world.epochs.epoch());
            assertThat(world.tracker.status().rows()).isEqualTo(model.objects.size());
            Map<String, List<Integer>> rings = new TreeMap<>();
            world.tracker.status().histories().forEach(history -> rings.put(history.className(), history.distinctAges()));
            assertThat(rings).isEqualTo(model.ringsThatCount());
            // A line that lies on the bar to the last digit is for either side: they compute it in different ways.
            assertThat(world.candidateClasses()).containsAll(model.candidates(world.epochs.epoch(), true));
            assertThat(model.candidates(world.epochs.epoch(), false)).containsAll(world.candidateClasses());
            if (random.nextInt(60) == 0) {
                world.tracker.close();
                assertThat(world.tracker.status().rows()).isZero();
                world = new World(World.TREND_ONLY);
                model = new Model();
            }
        }
    }

    /** However full it gets: the bound holds, nothing is counted twice, and whoever is tracked is alive. */
    @Property(tries = 60)
    void an_overflowing_table_keeps_its_bound_and_its_books(@ForAll @LongRange(min = 0, max = 1L << 40) long seed,
                                                            @ForAll @IntRange(min = 1, max = 64) int maxRows,
                                                            @ForAll @IntRange(max = 100) int deathPercent) {
        java.util.Random random = new java.util.Random(seed);
        World world = new World(new LivenessSettings(maxRows, 1, true, true, 0, 1));
        List<Held> alive = new ArrayList<>();
        long offered = 0;
        long died = 0;
        for (int epoch = 0; epoch < 20; epoch++) {
            for (int i = random.nextInt(40); i > 0; i--) {
                alive.add(world.allocate(new World.Session(), random.nextInt(3)));
                offered++;
            }
            world.tracker.maintain(world.nanos);
            int before = alive.size();
            alive.removeIf(held -> {
                boolean dies = random.nextInt(100) < deathPercent;
                if (dies) {
                    held.die();
                }
                return dies;
            });
            died += before - alive.size();
            world.collect();
            LivenessStatus status = world.tracker.status();
            assertThat(status.rows()).isLessThanOrEqualTo(Math.min(maxRows, alive.size()));
            long left = world.counters.get(LivenessTracker.TABLE_FULL) + world.counters.get(LivenessTracker.ROWS_THINNED);
            assertThat(status.rows() + left).isLessThanOrEqualTo(offered);
            assertThat(status.rows() + left + died).as("rows, dead and counted drops are all there is").isGreaterThanOrEqualTo(offered);
        }
    }

    private static final class Model {
        private record Live(Held held, String type, long thread, long epoch) { }

        private final List<Live> objects = new ArrayList<>();
        private final Map<String, Trend> classes = new LinkedHashMap<>();

        void fold(long epoch) {
            Map<String, Set<Long>> ages = new HashMap<>();
            for (Live object : objects) {
                if (object.epoch < epoch) {
                    ages.computeIfAbsent(object.type, type -> new HashSet<>()).add(object.epoch);
                }
            }
            ages.keySet().forEach(type -> classes.computeIfAbsent(type, t -> new Trend(30, 10)));
            classes.forEach((type, trend) -> {
                trend.push(ages.getOrDefault(type, Set.of()).size(), false);
                for (long thread = 1; thread <= 3; thread++) {
                    Set<Long> threadAges = new HashSet<>();
                    int retained = 0;
                    for (Live object : objects) {
                        if (object.type.equals(type) && object.thread == thread && object.epoch < epoch) {
                            threadAges.add(object.epoch);
                            retained++;
                        }
                    }
                    if (retained > 0 || trend.threads.containsKey(thread)) {
                        trend.threads.computeIfAbsent(thread, t -> new Trend(16, 6)).pushThread(threadAges.size(), retained);
                    }
                }
            });
        }

        Map<String, List<Integer>> ringsThatCount() {
            Map<String, List<Integer>> rings = new TreeMap<>();
            classes.forEach((type, trend) -> {
                if (trend.values.get(trend.values.size() - 1) > 0) {
                    rings.put(type, trend.values);
                }
            });
            return rings;
        }

        Set<String> candidates(long epoch, boolean surely) {
            Set<String> candidates = new HashSet<>();
            classes.forEach((type, trend) -> {
                boolean qualifies = trend.values.size() >= 10 && trend.growth() > (surely ? ROUNDING : -ROUNDING) && trend.streak(surely) >= 5;
                boolean alive = objects.stream().anyMatch(object -> object.type.equals(type) && object.epoch < epoch
                        && trend.threads.containsKey(object.thread) && trend.threads.get(object.thread).streak(surely) >= 5);
                if (qualifies && alive) {
                    candidates.add(type);
                }
            });
            return candidates;
        }
    }

    /** A ring with the textbook's least squares: slope is covariance by variance, and the line passes through the means. */
    private static final class Trend {
        private final int size;
        private final int minFill;
        private final List<Integer> values = new ArrayList<>();
        private final Map<Long, Trend> threads = new HashMap<>();
        private int sureStreak;
        private int possibleStreak;

        Trend(int size, int minFill) {
            this.size = size;
            this.minFill = minFill;
        }

        void push(int value, boolean enough) {
            values.add(value);
            if (values.size() > size) {
                values.remove(0);
            }
            double above = values.size() >= minFill ? growth() - Math.max(0.15 * earliest(), 1) : -1;
            sureStreak = enough || above >= ROUNDING ? sureStreak + 1 : 0;
            possibleStreak = enough || above >= -ROUNDING ? possibleStreak + 1 : 0;
        }

        void pushThread(int value, int retained) {
            push(value, retained >= 8);
            if (retained == 0) {
                sureStreak = 0;
                possibleStreak = 0;
            }
        }

        int streak(boolean surely) {
            return surely ? sureStreak : possibleStreak;
        }

        double growth() {
            return slope() * (values.size() - 1);
        }

        private double earliest() {
            return mean() - slope() * (values.size() - 1) / 2.0;
        }

        private double mean() {
            return values.stream().mapToInt(Integer::intValue).average().orElse(0);
        }

        private double slope() {
            double meanX = (values.size() - 1) / 2.0;
            double covariance = 0;
            double variance = 0;
            for (int x = 0; x < values.size(); x++) {
                covariance += (x - meanX) * (values.get(x) - mean());
                variance += (x - meanX) * (x - meanX);
            }
            return variance == 0 ? 0 : covariance / variance;
        }
    }
}
