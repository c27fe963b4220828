package io.holdfast;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.jfr.RootQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/*
 * When the walk finds nothing
 *
 * An instance that no root leads to is dead and waits for a collection, as nearly all are, or something holds it that Java does not see. The two are told
 * apart by collections that would have cleared a reference to a dead one: where instances of several cohorts, old ones and new ones, have survived such
 * collections and two searches in a row reached none of them, they are alive, and they pile up. Only then is the VM asked, because that stops the program:
 * once about a candidate, about all that wait together, and not oftener than every few minutes.
 */
/**
 * Keeps the candidates that stay unreached, asks the VM about them, and holds the leaks that come of it: unexplained ones, with the VM's answer. On the
 * Holdfast thread; {@link #with} on any.
 */
final class RootConfirmations {
    static final Duration INTERVAL = Duration.ofMinutes(5);
    /** As with chains: a program that warms up looks like one that leaks. */
    static final Duration BURN_IN = Duration.ofSeconds(40);
    /** How long the instances must have piled up. */
    static final Duration KEPT = Duration.ofSeconds(24);
    static final int SEARCHES_IN_VAIN = 2;
    static final int MIN_PROVED = 8;
    private static final int MIN_COHORTS = 3;
    private static final int MAX_REMEMBERED = 256;

    private final Function<List<RootQuestion>, List<RootConfirmation>> vm;
    private final boolean askAboutExplained;
    private final Ticker ticker;
    private final long startNanos;
    private final Counters counters;
    private final Consumer<Leak> changed;
    private final Consumer<String> log;
    private final Map<Long, Waiting> unreached = bounded();
    /** What was asked about: candidates by number, leaks by fingerprint. */
    private final Map<Object, Boolean> asked = bounded();
    private final Map<String, RootConfirmation> ofExplained = bounded();
    private final Map<String, Unexplained> found = bounded();
    private long lastAskedNanos;
    private boolean everAsked;
    private volatile List<Leak> leaks = List.of();
    private volatile Map<String, RootConfirmation> answers = Map.of();

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MAX_REMEMBERED;
            }
        };
    }

    private record Waiting(LeakCandidate candidate, int searches, long searchId) { }

    /** A leak that no chain explains, and the candidates behind it. */
    private record Unexplained(Leak leak, List<LeakCandidate> candidates) { }

    /**
     * @param vm                asks; an answer for each question, or none at all
     * @param askAboutExplained whether leaks with a chain are asked about as well
     * @param changed           told about each leak that is new
     * @param log               takes a line for each question
     */
    RootConfirmations(Function<List<RootQuestion>, List<RootConfirmation>> vm, boolean askAboutExplained, Ticker ticker, long startNanos, Counters counters,
                      Consumer<Leak> changed, Consumer<String> log) {
        this.vm = vm;
        this.askAboutExplained = askAboutExplained;
        this.ticker = ticker;
        this.startNanos = startNanos;
        this.counters = counters;
        this.changed = changed;
        this.log = log;
    }

    /** A search that ran to its end reached no instance of that candidate. */
    void unreached(LeakCandidate candidate, long searchId) {
        unreached.merge(candidate.id(), new Waiting(candidate, 1, searchId),
                (known, now) -> new Waiting(candidate, known.searchId == searchId ? known.searches : known.searches + 1, searchId));
    }

    /** A search has reached instances of that candidate: something Java can see holds them. */
    void reached(long candidateId) {
        unreached.remove(candidateId);
        if (found.values().removeIf(known -> known.candidates.stream().anyMatch(candidate -> candidate.id() == candidateId))) {
            publish(); // from now on the walk says more
        }
    }

    /** Asks if there is something to ask and it is time; call about once a second. */
    void follow(long nowNanos, List<Leak> explained) {
        retire();
        if (nowNanos - startNanos < BURN_IN.toNanos() || everAsked && nowNanos - lastAskedNanos < INTERVAL.toNanos()) {
            return;
        }
        List<LeakCandidate> candidates = unreached.values().stream().filter(waiting -> waiting.searches >= SEARCHES_IN_VAIN).map(Waiting::candidate)
                .filter(candidate -> !asked.containsKey(candidate.id()) && pilesUp(candidate, nowNanos)).toList();
        List<Leak> others = !askAboutExplained ? List.of() : explained.stream()
                .filter(leak -> leak.state() == LeakState.EXPLAINED && !asked.containsKey(leak.id())).toList();
        if (!candidates.isEmpty() || !others.isEmpty()) {
            everAsked = true;
            lastAskedNanos = nowNanos;
            ask(candidates, others, nowNanos);
        }
    }

    private static boolean pilesUp(LeakCandidate candidate, long nowNanos) {
        List<TrackedInstance> proved = candidate.instances().stream().filter(TrackedInstance::disproved).toList();
        if (proved.size() < MIN_PROVED || proved.stream().mapToLong(TrackedInstance::allocationEpoch).distinct().count() < MIN_COHORTS) {
            return false;
        }
        LongSummaryStatistics born = proved.stream().mapToLong(instance -> instance.allocationNanos() - nowNanos).summaryStatistics();
        // From long ago up to of late: what was put there once and stays is no leak.
        return -born.getMin() >= KEPT.toNanos() && born.getMax() - born.getMin() >= KEPT.toNanos() / 2;
    }

    private void ask(List<LeakCandidate> candidates, List<Leak> others, long nowNanos) {
        List<RootQuestion> questions = new ArrayList<>();
        candidates.forEach(candidate -> questions.add(new RootQuestion(candidate.className(), stacks(candidate.allocation()), oldest(candidate, nowNanos))));
        others.forEach(leak -> questions.add(new RootQuestion(leak.className(), stacks(leak.allocation()), leak.trend().firstSeen())));
        candidates.forEach(candidate -> asked.put(candidate.id(), true));
        others.forEach(leak -> asked.put(leak.id(), true));
        List<RootConfirmation> given = vm.apply(questions);
        if (given.size() != questions.size()) {
            counters.increment("confirm.unanswered");
            log.accept("confirm=jfr: the VM could not be asked about " + names(questions) + ".");
            return;
        }
        log.accept("confirm=jfr: asked the VM what holds " + names(questions) + "; that stopped the application for "
                + tenths(given.get(0).pauseNanos()) + " ms. Answers: " + given.stream().map(RootConfirmations::summary).distinct().toList() + ".");
        for (int i = 0; i < others.size(); i++) {
            ofExplained.put(others.get(i).id(), given.get(candidates.size() + i));
        }
        answers = Map.copyOf(ofExplained);
        List<Leak> news = unexplained(candidates, given);
        publish();
        news.forEach(changed);
    }

    private static String summary(RootConfirmation answer) {
        return answer.outcome() == RootConfirmation.Outcome.CHAIN ? answer.rootText() : answer.outcome().word();
    }

    private static Set<String> names(List<RootQuestion> questions) {
        Set<String> names = new TreeSet<>();
        questions.forEach(question -> names.add(question.className()));
        return names;
    }

    static String tenths(long nanos) {
        return String.valueOf(Math.round(nanos / 1e5) / 10.0);
    }

    private static List<List<String>> stacks(List<AllocationEvidence> allocation) {
        return allocation.stream().map(evidence -> evidence.stack().isEmpty() ? List.of(evidence.site()) : evidence.stack()).toList();
    }

    private Instant oldest(LeakCandidate candidate, long nowNanos) {
        long age = candidate.instances().stream().mapToLong(instance -> nowNanos - instance.allocationNanos()).max().orElse(0);
        return ticker.now().minusNanos(age).minusSeconds(1);
    }

    /**
     * One leak of all candidates that are held in the same way: what hangs on an element is held as the element is. Those without a path are no leak: nothing
     * says what holds them, and the VM may be wrong less often than we.
     */
    private List<Leak> unexplained(List<LeakCandidate> candidates, List<RootConfirmation> given) {
        List<Integer> nearestFirst = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            if (given.get(i).outcome() == RootConfirmation.Outcome.CHAIN) {
                nearestFirst.add(i);
            }
        }
        nearestFirst.sort(Comparator.comparingInt(i -> given.get(i).path().size()));
        List<List<Integer>> groups = new ArrayList<>();
        for (int i : nearestFirst) {
            groups.stream().filter(group -> given.get(i).heldLike(given.get(group.get(0)))).findFirst().orElseGet(() -> {
                List<Integer> group = new ArrayList<>();
                groups.add(group);
                return group;
            }).add(i);
        }
        List<Leak> news = new ArrayList<>();
        for (List<Integer> group : groups) {
            List<LeakCandidate> members = group.stream().map(candidates::get).toList();
            Leak leak = leak(members, given.get(group.get(0)));
            if (found.put(leak.id(), new Unexplained(leak, members)) == null) {
                news.add(leak);
            }
        }
        return news;
    }

    /** Named after the elements of what the VM says holds them, else after the candidate nearest to the root; bytes of all that hang on it are added up. */
    private static Leak leak(List<LeakCandidate> members, RootConfirmation answer) {
        LeakCandidate owner = members.get(0);
        List<LiveEstimate> live = members.stream().map(LeakCandidate::live).toList();
        LiveEstimate sum = new LiveEstimate(live.stream().mapToInt(LiveEstimate::tracked).sum(), owner.live().estimatedInstances(),
                live.stream().mapToLong(LiveEstimate::estimatedBytes).sum(), live.stream().mapToLong(LiveEstimate::bytesPerHour).sum(), owner.live().relativeError());
        List<ReferenceChain> none = List.of();
        String name = answer.owner(owner.className());
        return new Leak(LeakFingerprint.of(answer.holder(), name), name, LeakState.UNEXPLAINED, SearchFinding.UNREACHED,
                members.stream().map(LeakCandidate::className).distinct().toList(), owner.trend(), sum, null,
                members.stream().flatMap(member -> member.allocation().stream()).limit(8).toList(), none, List.of(), answer);
    }

    /** A leak is over when nothing of it lives. The references are asked in a way that keeps nothing alive. */
    private void retire() {
        boolean any = false;
        for (Map.Entry<String, Unexplained> entry : found.entrySet()) {
            Unexplained known = entry.getValue();
            if (known.leak.state() == LeakState.UNEXPLAINED && known.candidates.stream().flatMap(candidate -> candidate.instances().stream())
                    .allMatch(instance -> instance.reference().refersTo(null))) {
                Leak leak = known.leak;
                entry.setValue(new Unexplained(new Leak(leak.id(), leak.className(), LeakState.RESOLVED, leak.outcome(), leak.sampledClasses(), leak.trend(),
                        leak.live(), null, leak.allocation(), leak.chains(), leak.hints(), leak.confirmation()), List.of()));
                any = true;
            }
        }
        if (any) {
            publish();
        }
    }

    private void publish() {
        leaks = found.values().stream().map(Unexplained::leak).toList();
    }

    /** These leaks with what the VM said about them, and those that only the VM could say something about; worst first. Any thread. */
    List<Leak> with(List<Leak> explained) {
        Map<String, RootConfirmation> known = answers;
        List<Leak> unexplained = leaks;
        if (known.isEmpty() && unexplained.isEmpty()) {
            return explained;
        }
        List<Leak> all = new ArrayList<>();
        explained.forEach(leak -> all.add(known.containsKey(leak.id()) ? leak.confirmedBy(known.get(leak.id())) : leak));
        unexplained.stream().filter(leak -> explained.stream().noneMatch(other -> other.id().equals(leak.id()))).forEach(all::add);
        return LeakOrder.worstFirst(all);
    }
}
