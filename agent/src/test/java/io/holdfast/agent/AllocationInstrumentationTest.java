package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import fixtures.AllocationKinds;
import fixtures.LeakyProgram;
import io.holdfast.core.AllocationSample;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.SiteSurvival;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AllocationInstrumentationTest {
    private static final String RETURNS_OBJECT = "()Ljava/lang/Object;";
    private static final String PLAIN = AllocationKinds.Plain.class.getName();
    private static final String PAIR = AllocationKinds.Pair.class.getName();

    private static final SkippedHits NONE_SKIPPED = SkippedHits.none(16);

    /** Stands for the field of the hook class. */
    static volatile ObjLongConsumer<Object> sink;

    private final VirtualTicker ticker = new VirtualTicker();
    private final Counters counters = new Counters();
    private final List<AllocationSample> samples = new ArrayList<>();
    private final int[] tokens = new int[16];
    private final FakeInstrumentation jvm = new FakeInstrumentation(AllocationKinds.class, AllocationKinds.Pair.class, LeakyProgram.class,
            int[].class, String.class);
    private AllocationHook hook;
    private AllocationInstrumentation instrumentation;

    @BeforeEach
    void install() throws ReflectiveOperationException {
        sink = null;
        hook = new AllocationHook(new HookMethod("fixtures/RecordingHook", "hit"), tokens,
                MethodHandles.lookup().findStaticVarHandle(AllocationInstrumentationTest.class, "sink", ObjLongConsumer.class),
                new AtomicIntegerArray(4));
        SampleMaker maker = new SampleMaker(hook, samples::add, new GcEpochs(), ticker, counters, NONE_SKIPPED, null);
        assertThat(hook.open(maker)).isTrue();
        instrumentation = AllocationInstrumentation.register(jvm.asInstrumentation(), hook, maker, ticker, counters);
    }

    private static int index(Class<?> owner, String method, String descriptor, String type) {
        return ScannedSites.first(RewritingLoader.classFile(owner.getName()), method, descriptor, type).index();
    }

    private static ScoutedAllocation seen(String method, String type, long weight) {
        return new ScoutedAllocation(AllocationKinds.class.getName(), method, RETURNS_OBJECT,
                index(AllocationKinds.class, method, RETURNS_OBJECT, type), -1, type, weight);
    }

    private void observe(int times, ScoutedAllocation seen) {
        for (int i = 0; i < times; i++) {
            instrumentation.observe(seen);
        }
    }

    private void maintain(SiteSurvival... survival) {
        instrumentation.maintain(ticker.nanos(), List.of(survival));
    }

    private void hookTwoSites() {
        observe(2, seen("plain", PLAIN, 1_000));
        observe(2, seen("nested", "long[]", 9_000));
        ticker.advance(6);
        maintain();
    }

    @Test
    void nothingHappensBeforeFiveSeconds() {
        observe(5, seen("plain", PLAIN, 1_000));
        ticker.advance(4.9);
        maintain();
        assertThat(jvm.batches).isEmpty();
        assertThat(instrumentation.siteCount()).isZero();
        ticker.advance(0.2);
        maintain();
        assertThat(jvm.batches).containsExactly(1);
        assertThat(instrumentation.active(0)).isTrue();
    }

    @Test
    void whereTheVmDoesNotTellForHowLongItStoppedTheWallTimeHoldsUpNoBatch() {
        SampleMaker maker = new SampleMaker(hook, samples::add, new GcEpochs(), ticker, counters, NONE_SKIPPED, null);
        instrumentation = AllocationInstrumentation.register(jvm.asInstrumentation(), hook, maker, ticker, counters, HookSettings.defaults(), null, new StoppedTime(() -> {
                    ticker.advance(0.5);
                    return StoppedTime.UNKNOWN;
                }));
        observe(2, seen("plain", PLAIN, 1_000));
        ticker.advance(6);
        maintain();
        observe(2, seen("nested", "long[]", 9_000));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.batches()).isEqualTo(2);
        assertThat(instrumentation.stoppedNanos()).isPositive();
    }

    @Test
    void sitesEnterMostBytesFirstWithLineAndSource() {
        hookTwoSites();
        assertThat(instrumentation.siteCount()).isEqualTo(2);
        assertThat(instrumentation.site(0).methodName()).isEqualTo("nested");
        assertThat(instrumentation.site(0).allocatedClass()).isEqualTo("long[]");
        assertThat(instrumentation.site(1).toFrame()).matches("fixtures\\.AllocationKinds\\.plain\\(AllocationKinds\\.java:\\d+\\)");
        assertThat(instrumentation.batches()).isEqualTo(1);
    }

    @Test
    void grantsReachOnlySitesWithHooks() {
        hookTwoSites();
        instrumentation.grant(1, 3);
        instrumentation.grant(2, 3);
        instrumentation.grant(-1, 3);
        instrumentation.grant(0, -7);
        assertThat(tokens).startsWith(0, 3, 0).hasSize(16);
        instrumentation.grant(1, 2);
        assertThat(tokens[1]).isEqualTo(2);
    }

    @Test
    void aSampleCarriesSiteThreadAndStackButNotTheObject() {
        Object object = new Object();
        ticker.advance(2);
        sink.accept(object, Thread.currentThread().getId() << HookBytecode.SITE_BITS | 5);
        AllocationSample sample = samples.get(0);
        assertThat(sample.siteId()).isEqualTo(5);
        assertThat(sample.threadId()).isEqualTo(Thread.currentThread().getId());
        assertThat(sample.threadName()).isEqualTo(Thread.currentThread().getName());
        assertThat(sample.reference().get()).isSameAs(object);
        assertThat(sample.nanos()).isEqualTo(2_000_000_000L);
        assertThat(sample.stack().getStackTrace()[0].getMethodName()).isEqualTo("aSampleCarriesSiteThreadAndStackButNotTheObject");
    }

    @Test
    void threadsOfOursAreNotSampled() throws InterruptedException {
        hook.grant(0, 3);
        for (String name : List.of("holdfast", "JFR Event Stream 1", "holdfast-demo")) {
            hit(name);
        }
        assertThat(samples).extracting(AllocationSample::threadName).containsExactly("holdfast-demo");
        assertThat(counters.get(SampleMaker.OWN_THREAD_HITS)).isEqualTo(2);
        assertThat(tokens[0]).as("given back").isEqualTo(2);
    }

    /** As the hook does it: the token is gone before the sink is asked. */
    private void hit(String threadName) throws InterruptedException {
        tokens[0]--;
        sinkIsAskedBy(threadName);
    }

    private static void sinkIsAskedBy(String threadName) throws InterruptedException {
        Thread thread = new Thread(() -> sink.accept(new Object(), 1L << HookBytecode.SITE_BITS), threadName);
        thread.start();
        thread.join();
    }

    @Test
    void whatIsGivenBackIsNeverMoreThanWasGranted() throws InterruptedException {
        hook.grant(0, 1);
        for (int race = 0; race < 100; race++) {
            hit("holdfast");
            sinkIsAskedBy("holdfast"); // whose decrement was lost to the other's
        }
        assertThat(tokens[0]).isEqualTo(1);
        hit("program");
        assertThat(tokens[0]).isZero();
        sinkIsAskedBy("holdfast");
        assertThat(tokens[0]).as("the sample was taken").isZero();
    }

    @Test
    void sitesWhoseObjectsDieLoseTheirHookForGood() throws Exception {
        hookTwoSites();
        instrumentation.grant(0, 5);
        ticker.advance(5);
        maintain(new SiteSurvival(0, 9, 0, 0, 3), new SiteSurvival(1, 9, 5, 3, 3));
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(instrumentation.active(1)).isTrue();
        assertThat(tokens[0]).isZero();
        assertThat(counters.get(AllocationInstrumentation.SITES_RETIRED)).isEqualTo(1);
        observe(50, seen("nested", "long[]", 9_000));
        ticker.advance(100);
        maintain();
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(sitesOf("nested", "long[]")).isEqualTo(1);
        ticker.advance(100);
        SiteSurvival[] allDie = new SiteSurvival[instrumentation.siteCount()];
        java.util.Arrays.setAll(allDie, id -> new SiteSurvival(id, 99, 0, 0, 30));
        maintain(allDie);
        assertThat(jvm.current.get(AllocationKinds.class)).as("own bytes").isNull();
        assertThat(instrumentation.site(0).methodName()).isEqualTo("nested");
    }

    @Test
    void lateSamplesOfTheHookedMethodDoNotBringARetiredSiteBack() {
        ScoutedAllocation second = seen("nested", "long[]", 1_000);
        observe(2, second);
        observe(2, seen("nested", PLAIN, 1_000));
        ticker.advance(6);
        maintain();
        int id = instrumentation.site(0).allocatedClass().equals("long[]") ? 0 : 1;
        int shifted = AllocationScan.of(new IndexedClassReader(jvm.current.get(AllocationKinds.class)), java.util.Set.of("nested" + RETURNS_OBJECT))
                .methods().get("nested" + RETURNS_OBJECT).instructions().stream().filter(i -> i.type().equals("long[]")).findFirst().orElseThrow().index();
        assertThat(shifted).isNotEqualTo(second.bytecodeIndex());
        ticker.advance(6);
        maintain(new SiteSurvival(0, 9, 0, 0, 3), new SiteSurvival(1, 9, 0, 0, 3));
        observe(9, new ScoutedAllocation(second.className(), second.methodName(), second.descriptor(), shifted, -1, "long[]", 1_000));
        ticker.advance(100);
        maintain();
        assertThat(sitesOf("nested", "long[]")).isEqualTo(1);
        assertThat(instrumentation.active(id)).isFalse();
    }

    @Test
    void samplesOfTheHookedMethodCountForTheSameSite() {
        hookTwoSites();
        int shifted = index(AllocationKinds.class, "nested", RETURNS_OBJECT, "long[]");
        double before = instrumentation.bytesPerSecond(0);
        observe(3, new ScoutedAllocation(AllocationKinds.class.getName(), "nested", RETURNS_OBJECT, shifted, -1, "long[]", 9_000));
        assertThat(instrumentation.bytesPerSecond(0)).isGreaterThan(2 * before);
        ticker.advance(100);
        maintain();
        assertThat(sitesOf("nested", "long[]")).isEqualTo(1);
    }

    @Test
    void theOtherAllocationsOfAHookedMethodFollowWithTheNextBatch() {
        observe(1, seen("nested", "long[]", 9_000));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.siteCount()).isEqualTo(1);
        ticker.advance(6);
        maintain();
        assertThat(sitesOf("nested", PLAIN)).isPositive();
        assertThat(instrumentation.siteCount()).isGreaterThan(1);
        for (int id = 0; id < instrumentation.siteCount(); id++) {
            assertThat(instrumentation.site(id).methodName()).isEqualTo("nested");
            assertThat(instrumentation.active(id)).isTrue();
        }
    }

    private long sitesOf(String method, String allocatedClass) {
        return java.util.stream.IntStream.range(0, instrumentation.siteCount()).mapToObj(instrumentation::site)
                .filter(site -> site.methodName().equals(method) && site.allocatedClass().equals(allocatedClass)).count();
    }

    @Test
    void aHotDyingSiteDoesNotWaitForTheRegularBatch() {
        hookTwoSites();
        for (int i = 0; i < 3; i++) { // Regular batches: the next one is far away.
            ticker.advance(60);
            observe(2, seen(List.of("thisCall", "superCall", "sameTypeNested").get(i),
                    List.of(PAIR, AllocationKinds.Derived.class.getName(), PAIR).get(i), 10));
            maintain();
        }
        int batches = jvm.batches.size();
        observe(100, seen("nested", "long[]", 90_000_000));
        ticker.advance(6);
        maintain(new SiteSurvival(1, 9, 0, 0, 3));
        assertThat(jvm.batches).as("cold: waits").hasSize(batches);
        maintain(new SiteSurvival(0, 9, 0, 0, 3));
        assertThat(jvm.batches).as("hot: does not").hasSize(batches + 1);
        assertThat(instrumentation.active(0)).isFalse();
    }

    @Test
    void aBadClassIsLeftOutForGoodAndTheOthersAreNot() {
        jvm.bad.add(AllocationKinds.Pair.class);
        observe(2, seen("plain", PLAIN, 1_000));
        observe(2, new ScoutedAllocation(PAIR, "<init>", "()V", index(AllocationKinds.Pair.class, "<init>", "()V", PLAIN), -1, PLAIN, 9_000));
        observe(2, new ScoutedAllocation(LeakyProgram.class.getName(), "list", "(I)Ljava/util/List;",
                index(LeakyProgram.class, "list", "(I)Ljava/util/List;", "java.util.ArrayList"), -1, "java.util.ArrayList", 500));
        ticker.advance(6);
        maintain();
        assertThat(jvm.batches.get(0)).isEqualTo(3);
        assertThat(jvm.batches).contains(1);
        assertThat(counters.get(AllocationInstrumentation.CLASSES_REFUSED)).isEqualTo(1);
        assertThat(instrumentation.active(0)).as("of the bad class").isFalse();
        assertThat(instrumentation.active(1)).isTrue();
        assertThat(instrumentation.active(2)).isTrue();
        int batches = jvm.batches.size();
        observe(2, new ScoutedAllocation(PAIR, "<init>", "(Ljava/lang/Object;Ljava/lang/Object;)V", 0, -1, PLAIN, 9_000));
        ticker.advance(60);
        maintain();
        assertThat(jvm.batches).hasSize(batches);
        assertThat(instrumentation.siteCount()).isEqualTo(3);
    }

    @Test
    void classesThatCannotBeModifiedAreCounted() {
        jvm.notModifiable.add(AllocationKinds.class);
        hookTwoSites();
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(counters.get(AllocationInstrumentation.CLASSES_NOT_MODIFIABLE)).isEqualTo(1);
        assertThat(jvm.batches).isEmpty();
    }

    @Test
    void aSiteThatIsNotThereIsCounted() {
        observe(2, new ScoutedAllocation(AllocationKinds.class.getName(), "plain", RETURNS_OBJECT, 0, -1, "java.lang.String", 1_000));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(counters.get(AllocationInstrumentation.SITES_REFUSED + "not_found")).isEqualTo(1);
    }

    @Test
    void aClassLoadedLaterGetsItsHooksOnLoading() throws Exception {
        observe(2, new ScoutedAllocation(AllocationKinds.Derived.class.getName(), "<init>", "()V",
                index(AllocationKinds.Derived.class, "<init>", "()V", PLAIN), -1, PLAIN, 9_000));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(jvm.load(AllocationKinds.Derived.class)).isNotNull();
        assertThat(jvm.load(LeakyProgram.class)).isNull();
        assertThat(instrumentation.active(0)).isTrue();
    }

    @Test
    void unreadableClassFilesAreSilentlyLeftAlone() throws Exception {
        hookTwoSites();
        assertThat(jvm.load(AllocationKinds.class.getName().replace('.', '/'), new byte[] {1, 2, 3})).isNull();
        assertThat(jvm.load(null, new byte[0])).isNull();
        assertThat(counters.get(AllocationInstrumentation.CLASSES_REFUSED)).isEqualTo(1);
    }

    @Test
    void excludedHotAndHiddenClassesNeverEnter() {
        for (String name : List.of("io.holdfast.core.Counters", "java.lang.ThreadLocal", "fixtures.App$$Lambda+0x0000", "fixtures.App$$Lambda/0x1")) {
            observe(3, new ScoutedAllocation(name, "m", "()V", 0, 1, "byte[]", 1));
        }
        observe(3, new ScoutedAllocation("java.lang.Integer", "valueOf", "(I)Ljava/lang/Integer;", 0, 1, "java.lang.Integer", 1));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.siteCount()).isZero();
        assertThat(counters.get(SiteTable.SCOUT_EXCLUDED)).isEqualTo(12);
        assertThat(counters.get(SiteTable.SCOUT_TOO_HOT)).isEqualTo(3);
    }

    @Test
    void theTableIsBoundedAndForgetsWhatIsOld() {
        for (int i = 0; i < SiteTable.MAX_SCOUTED + 10; i++) {
            observe(1, new ScoutedAllocation("fixtures.Absent" + i, "m", "()V", 0, 1, "byte[]", 1));
        }
        assertThat(counters.get(SiteTable.SCOUT_DROPPED)).isEqualTo(10);
        ticker.advance(700);
        maintain();
        observe(1, new ScoutedAllocation("fixtures.Another", "m", "()V", 0, 1, "byte[]", 1));
        assertThat(counters.get(SiteTable.SCOUT_DROPPED)).isEqualTo(10);
    }

    @Test
    void idsAreBounded() {
        for (int i = 0; i < 20; i++) {
            observe(2, new ScoutedAllocation("fixtures.Absent" + i, "m", "()V", 0, 1, "byte[]", 1));
        }
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.siteCount()).isEqualTo(tokens.length);
        assertThat(counters.get(SiteTable.IDS_EXHAUSTED)).isEqualTo(4);
    }

    @Test
    void ratesFollowTheWeightsAndFade() {
        ScoutedAllocation seen = seen("plain", PLAIN, 5_000);
        for (int i = 0; i < 300; i++) {
            observe(2, seen);
            ticker.advance(1);
            maintain();
        }
        assertThat(instrumentation.bytesPerSecond(0)).isCloseTo(10_000, within(500.0));
        ticker.advance(600);
        assertThat(instrumentation.bytesPerSecond(0)).isLessThan(10);
        assertThat(instrumentation.bytesPerSecond(99)).isZero();
    }

    @Test
    void closeRestoresEverythingAndLetsGo() throws Exception {
        hookTwoSites();
        instrumentation.grant(0, 5);
        assertThat(jvm.current.get(AllocationKinds.class)).isNotNull();
        instrumentation.close();
        assertThat(jvm.current.get(AllocationKinds.class)).isNull();
        assertThat(jvm.transformers()).isZero();
        assertThat(sink).isNull();
        assertThat(Arrays.stream(tokens).sum()).isZero();
        assertThat(instrumentation.active(0)).isFalse();
        instrumentation.grant(0, 5);
        assertThat(tokens[0]).isZero();
        instrumentation.observe(seen("plain", PLAIN, 1));
        ticker.advance(60);
        maintain();
        instrumentation.close();
        assertThat(instrumentation.batches()).isEqualTo(2);
    }

    @Test
    void aSiteThatLostItsHookIsJudgedAnewAfterTenMinutesIfItIsStillSeen() throws Exception {
        hookTwoSites();
        ticker.advance(10);
        int sites = instrumentation.siteCount();
        maintain(new SiteSurvival(0, 9, 0, 0, 3), new SiteSurvival(1, 9, 0, 0, 3));
        int afterSiblings = instrumentation.siteCount();
        assertThat(instrumentation.active(0) || instrumentation.active(1)).isFalse();
        ticker.advance(550);
        observe(1, seen("plain", PLAIN, 1_000));
        maintain();
        assertThat(instrumentation.siteCount()).as("not yet").isEqualTo(afterSiblings);
        ticker.advance(700);
        maintain();
        assertThat(instrumentation.siteCount()).as("the one that was seen").isEqualTo(afterSiblings + 1).isGreaterThan(sites);
        assertThat(instrumentation.active(afterSiblings)).isTrue();
        assertThat(instrumentation.site(afterSiblings).methodName()).isEqualTo("plain");
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(counters.get(AllocationInstrumentation.SECOND_CHANCES)).isEqualTo(1);
        // Its objects die again: it does not wait for the next regular batch, ten minutes away.
        ticker.advance(61);
        maintain(new SiteSurvival(afterSiblings, 9, 0, 0, 3));
        assertThat(instrumentation.active(afterSiblings)).isFalse();
    }

    // ---- learned sites and the interval lane ----

    /** A lane whose countdowns are never reached, for its places only. */
    private AllocationInstrumentation reinstall(HookSettings settings) throws ReflectiveOperationException {
        instrumentation.close();
        sink = null;
        interval = null;
        long[] left = new long[HookBytecode.STRIPES << HookBytecode.STRIPE_SHIFT];
        long[] sizes = new long[IntervalCode.MAX_SHAPES];
        AllocationHook hook = new AllocationHook(new HookMethod("fixtures/RecordingHook", "hit"), tokens,
                MethodHandles.lookup().findStaticVarHandle(AllocationInstrumentationTest.class, "sink", ObjLongConsumer.class), new AtomicIntegerArray(4), left,
                sizes, MethodHandles.lookup().findStaticVarHandle(AllocationInstrumentationTest.class, "interval", ObjLongConsumer.class));
        SampleMaker maker = new SampleMaker(hook, samples::add, new GcEpochs(), ticker, counters, NONE_SKIPPED, null);
        assertThat(hook.open(maker)).isTrue();
        IntervalLane lane = settings.sampled() == null ? null : settings.sampled().connect(left, sizes, object -> 16, new GcEpochs());
        instrumentation = AllocationInstrumentation.register(jvm.asInstrumentation(), hook, maker, ticker, counters, settings, lane, new StoppedTime(() -> {
                    ticker.advance(batchSeconds);
                    return StoppedTime.UNKNOWN;
                }));
        return instrumentation;
    }

    /** What changing classes takes. */
    private double batchSeconds;

    static volatile ObjLongConsumer<Object> interval;

    private static LearnedSite learned(String method, String type, int shift) {
        return new LearnedSite(AllocationKinds.class.getName(), method, RETURNS_OBJECT,
                index(AllocationKinds.class, method, RETURNS_OBJECT, type) + shift, 1, type);
    }

    @Test
    void aLearnedSiteGetsItsHookWhenItsClassIsLoaded() throws Exception {
        reinstall(new HookSettings(true, false, null, List.of(learned("plain", PLAIN, 0))));
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(jvm.load(AllocationKinds.class)).isNotNull();
        assertThat(instrumentation.active(0)).isTrue();
        assertThat(jvm.batches).isEmpty();
        instrumentation.grant(0, 3);
        assertThat(tokens[0]).isEqualTo(3);
    }

    @Test
    void aClassThatWasLoadedBeforeGetsItsLearnedHooksWithTheFirstBatch() throws Exception {
        reinstall(new HookSettings(true, false, null, List.of(learned("plain", PLAIN, 0))));
        ticker.advance(6);
        maintain();
        assertThat(jvm.batches).containsExactly(1);
        assertThat(instrumentation.active(0)).isTrue();
        ticker.advance(20);
        maintain();
        assertThat(jvm.batches).hasSize(1);
    }

    @Test
    void aStaleLearnedSiteIsIgnoredAndCounted() throws Exception {
        reinstall(new HookSettings(true, false, null, List.of(learned("plain", PLAIN, 1), learned("nested", "long[]", 0),
                new LearnedSite("java.lang.Integer", "valueOf", "(I)Ljava/lang/Integer;", 1, 1, "java.lang.Integer"))));
        jvm.load(AllocationKinds.class);
        assertThat(instrumentation.active(0)).isFalse();
        assertThat(instrumentation.active(1)).isTrue();
        assertThat(counters.get(AllocationInstrumentation.LEARNED_STALE)).isEqualTo(2);
    }

    @Test
    void whatSurvivedIsLearnedAndWhatDiedIsForgotten() throws Exception {
        reinstall(new HookSettings(true, false, null, List.of(learned("plain", PLAIN, 0), learned("unused", PLAIN, 0))));
        observe(2, seen("nested", "long[]", 9_000));
        observe(2, seen("sameTypeNested", PAIR, 1_000));
        ticker.advance(6);
        maintain();
        assertThat(instrumentation.siteCount()).isEqualTo(4);
        ticker.advance(10);
        // The second of the learned dies, of the scouted one survives.
        List<SiteSurvival> survival = List.of(new SiteSurvival(1, 9, 0, 0, 3), new SiteSurvival(2, 9, 5, 3, 3), new SiteSurvival(3, 3, 1, 1, 1));
        instrumentation.maintain(ticker.nanos(), survival);
        assertThat(instrumentation.learnedSites(survival)).extracting(LearnedSite::methodName).containsExactly("plain", "nested");
    }

    private SampledAllocations sampled() {
        return new SampledAllocations(ticker, counters, new java.util.SplittableRandom(1), line -> { });
    }

    @Test
    void aBatchThatAListenerAskedForDelaysNoneOfTheFinders() throws Exception {
        SampledAllocations sampled = sampled();
        reinstall(new HookSettings(true, false, sampled, List.of()));
        hookTwoSites();
        batchSeconds = 60;
        sampled.addListener((thread, object, type, size) -> { });
        ticker.advance(2);
        maintain();
        assertThat(jvm.batches).hasSize(2);
        batchSeconds = 0;
        observe(2, seen("sameTypeNested", PAIR, 1_000));
        ticker.advance(6);
        maintain();
        assertThat(jvm.batches).hasSize(3);
        assertThat(instrumentation.active(2)).isTrue();
    }

    @Test
    void theIntervalLaneComesWithItsFirstListenerAndGoesWithTheLast() throws Exception {
        SampledAllocations sampled = sampled();
        reinstall(new HookSettings(true, false, sampled, List.of()));
        hookTwoSites();
        byte[] tokensOnly = jvm.current.get(AllocationKinds.class);
        SampledAllocationListener listener = (thread, object, type, size) -> { };
        sampled.addListener(listener);
        ticker.advance(1);
        maintain();
        byte[] both = jvm.current.get(AllocationKinds.class);
        assertThat(both.length).isGreaterThan(tokensOnly.length);
        assertThat(interval).isNotNull();
        sampled.removeListener(listener);
        ticker.advance(1);
        maintain();
        assertThat(Arrays.equals(jvm.current.get(AllocationKinds.class), both)).as("not twice within two seconds").isTrue();
        ticker.advance(1);
        maintain();
        assertThat(Arrays.equals(jvm.current.get(AllocationKinds.class), tokensOnly)).isTrue();
        assertThat(interval).isNull();
    }

    @Test
    void whileTheIntervalLaneCountsASiteThatRetiresKeepsItsPlaceInTheCount() throws Exception {
        SampledAllocations sampled = sampled();
        reinstall(new HookSettings(true, false, sampled, List.of()));
        SampledAllocationListener listener = (thread, object, type, size) -> { };
        sampled.addListener(listener);
        hookTwoSites();
        byte[] both = jvm.current.get(AllocationKinds.class);
        ticker.advance(10);
        maintain(new SiteSurvival(0, 9, 0, 0, 3), new SiteSurvival(1, 9, 0, 0, 3));
        assertThat(counters.get(AllocationInstrumentation.SITES_RETIRED)).isEqualTo(2);
        // The neighbours of a site enter with the same batch, so the class has grown if anything.
        assertThat(jvm.current.get(AllocationKinds.class).length).isGreaterThanOrEqualTo(both.length);
        int counted = jvm.current.get(AllocationKinds.class).length;
        sampled.removeListener(listener);
        ticker.advance(2);
        maintain();
        assertThat(jvm.current.get(AllocationKinds.class).length).isLessThan(counted - 20);
    }

    @Test
    void allSitesMeansLoadedClassesAndThoseThatAreLoadedLater() throws Exception {
        SampledAllocations sampled = sampled();
        reinstall(new HookSettings(false, true, sampled, List.of()));
        maintain();
        assertThat(jvm.batches).isEmpty();
        assertThat(jvm.load(LeakyProgram.class)).isNull();
        sampled.follow(true);
        maintain();
        assertThat(jvm.current.get(AllocationKinds.class)).isNotNull();
        assertThat(jvm.current.get(AllocationKinds.Pair.class)).isNotNull();
        assertThat(jvm.load(RandomProgramTest.class)).as("our own").isNull();
        assertThat(jvm.load(LeakyProgram.class)).isNotNull();
        instrumentation.grant(0, 1);
        instrumentation.close();
        assertThat(jvm.current.values()).containsOnlyNulls();
        assertThat(jvm.transformers()).isZero();
        assertThat(interval).isNull();
    }
}
