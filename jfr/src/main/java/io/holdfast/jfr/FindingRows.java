package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.LiveSample;
import io.holdfast.core.ReferenceChain;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * Findings with their texts made, ready to be written into a chunk.
 *
 * @param source  the findings they were made from; the same findings need no new rows
 * @param asOf    milliseconds since the epoch, larger than that of all rows before in this JVM: tells states of knowledge apart
 * @param leaks   worst leak first
 * @param samples living objects, oldest first
 * @param leftOut leaks, chains and samples beyond the bounds
 * @param sites     allocation sites of all leaks
 * @param chains    chains of all leaks, as far as they are written
 * @param confirmed leaks about which the VM was asked
 */
record FindingRows(Findings source, long asOf, List<LeakRow> leaks, List<SampleRow> samples, int leftOut,
                   List<Numbered> sites, List<Numbered> chains, List<LeakRow> confirmed) {
    /** Chains of one leak at the most. */
    static final int MAX_CHAINS = 16;
    /** Characters of all texts together at the most; what is beyond is left out, mildest leaks first. */
    static final int MAX_TEXT = 4 << 20;

    static final FindingRows NONE = new FindingRows(null, 0, List.of(), List.of(), 0, List.of(), List.of(), List.of());

    static FindingRows of(Findings findings, long asOf, Function<Leak, String> text) {
        List<LeakRow> rows = new ArrayList<>();
        int leftOut = Math.max(0, findings.liveSamples().size() - Findings.MAX_LIVE_SAMPLES);
        int room = MAX_TEXT;
        for (Leak leak : findings.leaks()) {
            if (room <= 0) {
                leftOut++;
                continue;
            }
            String trace = EventText.lines(String.valueOf(text.apply(leak)));
            room -= trace.length();
            List<ChainText> chains = new ArrayList<>();
            for (ReferenceChain chain : leak.chains()) {
                if (chains.size() == MAX_CHAINS || room <= 0) {
                    leftOut++;
                    continue;
                }
                ChainText made = ChainText.of(chain);
                room -= made.trace().length();
                chains.add(made);
            }
            rows.add(new LeakRow(leak, trace, List.copyOf(chains)));
        }
        return new FindingRows(findings, asOf, List.copyOf(rows), samples(findings.liveSamples()), leftOut, numbered(rows, row -> row.leak().allocation().size()),
                numbered(rows, row -> row.chains().size()), rows.stream().filter(row -> row.leak().confirmation() != null).toList());
    }

    private static List<Numbered> numbered(List<LeakRow> rows, ToIntFunction<LeakRow> size) {
        return rows.stream().flatMap(row -> IntStream.range(0, size.applyAsInt(row)).mapToObj(i -> new Numbered(row, i))).toList();
    }

    private static List<SampleRow> samples(List<LiveSample> samples) {
        Map<List<String>, StackText> stacks = new IdentityHashMap<>();
        List<SampleRow> rows = new ArrayList<>();
        for (LiveSample sample : samples.subList(0, Math.min(samples.size(), Findings.MAX_LIVE_SAMPLES))) {
            rows.add(new SampleRow(sample, stacks.computeIfAbsent(sample.stack(), StackText::of)));
        }
        return List.copyOf(rows);
    }

    /**
     * One leak.
     *
     * @param chains texts of its first chains, in their order
     */
    record LeakRow(Leak leak, String trace, List<ChainText> chains) { }

    /** One of several of a leak. */
    record Numbered(LeakRow row, int number) { }

    /** One living object and its stack; samples of one stack share it. */
    record SampleRow(LiveSample sample, StackText stack) { }
}
