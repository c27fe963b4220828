package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class EventTextPropertiesTest {
    @Property(tries = 300)
    void countsTheBytesOfUtf8(@ForAll @StringLength(max = 40) String text) {
        // Lone surrogates are written as one question mark by the encoder and as two bytes by us: never less than what is stored.
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        boolean wellFormed = StandardCharsets.UTF_8.newEncoder().canEncode(text);
        assertThat(EventText.utf8Bytes(text)).isGreaterThanOrEqualTo(bytes);
        if (wellFormed) {
            assertThat(EventText.utf8Bytes(text)).isEqualTo(bytes);
        }
    }

    @Property(tries = 300)
    void keepsBothEndsWithinBytesAndLines(@ForAll @Size(max = 60) List<@StringLength(max = 30) String> lines, @ForAll @IntRange(min = 64, max = 2_000) int maxBytes,
                                          @ForAll @IntRange(max = 70) int maxLines) {
        List<String> single = lines.stream().map(line -> line.replaceAll("\\R", "?")).toList();
        MiddleCut cut = MiddleCut.of(single, maxBytes, maxLines);
        String text = cut.text("hops");
        assertThat(EventText.utf8Bytes(text)).isLessThanOrEqualTo(maxBytes);
        assertThat(cut.kept()).isLessThanOrEqualTo(Math.min(single.size(), maxLines));
        assertThat(cut.head() - cut.tail()).isBetween(0, 1);
        List<String> expected = new ArrayList<>(single.subList(0, cut.head()));
        if (cut.kept() < single.size()) {
            expected.add("  … " + (single.size() - cut.kept()) + " hops left out");
        }
        expected.addAll(single.subList(single.size() - cut.tail(), single.size()));
        assertThat(text).isEqualTo(String.join("\n", expected));
        int all = single.stream().mapToInt(line -> EventText.utf8Bytes(line) + 1).sum();
        if (all <= maxBytes - 64 && maxLines >= single.size()) {
            assertThat(cut.kept()).isEqualTo(single.size());
        }
    }

    @Property(tries = 300)
    void endedSearchesAreABoundedQueue(@ForAll @Size(max = 80) List<Boolean> offers) {
        EndedSearches searches = new EndedSearches();
        ArrayDeque<Long> model = new ArrayDeque<>();
        long id = 0;
        for (boolean offer : offers) {
            id++;
            if (offer || id % 3 > 0) {
                boolean room = model.size() < 16;
                assertThat(searches.offer(ended(id))).isEqualTo(room);
                if (room) {
                    model.add(id);
                }
            } else {
                assertThat(searches.drain()).extracting(ended -> ended.summary().id()).containsExactlyElementsOf(model);
                model.clear();
            }
        }
    }

    private static EndedSearch ended(long id) {
        return new EndedSearch(new SearchSummary(id, SearchState.COMPLETED, AbandonReason.NONE, 1, 1, 1, Leaks.SOME_TIME, 1, 1, 1), Leaks.SOME_TIME);
    }
}
