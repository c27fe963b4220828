package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Leaks with their texts made, ready to be written into a chunk.
 *
 * @param source the list they were made from; the same list needs no new rows
 * @param rows   worst leak first
 * @param leftOut leaks and chains beyond the bounds
 */
record LeakRows(List<Leak> source, List<Row> rows, int leftOut) {
    /** Chains of one leak at the most. */
    static final int MAX_CHAINS = 16;
    /** Characters of all texts together at the most; what is beyond is left out, mildest leaks first. */
    static final int MAX_TEXT = 4 << 20;

    static final LeakRows NONE = new LeakRows(List.of(), List.of(), 0);

    static LeakRows of(List<Leak> leaks, Function<Leak, String> text) {
        List<Row> rows = new ArrayList<>();
        int leftOut = 0;
        int room = MAX_TEXT;
        for (Leak leak : leaks) {
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
            rows.add(new Row(leak, trace, List.copyOf(chains)));
        }
        return new LeakRows(leaks, List.copyOf(rows), leftOut);
    }

    /**
     * One leak.
     *
     * @param chains texts of its first chains, in their order
     */
    record Row(Leak leak, String trace, List<ChainText> chains) { }
}
