package io.holdfast.jfr;

import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;

/**
 * A chain as the text of an event, with the bounds of events: {@link EventText#MAX_BYTES} and {@link ReferenceChain#MAX_HOPS}.
 *
 * @param trace     the root, then one line a hop
 * @param signature the chain's signature
 * @param head      hops kept from the root on
 * @param tail      hops kept before the leaf
 */
record ChainText(String trace, String signature, int head, int tail) {
    private static final int MAX_SIGNATURE = 8_192;

    static ChainText of(ReferenceChain chain) {
        String root = EventText.name(chain.root().label());
        MiddleCut cut = MiddleCut.of(chain.edges().stream().map(ChainText::line).toList(), EventText.MAX_BYTES - EventText.utf8Bytes(root) - 1,
                ReferenceChain.MAX_HOPS);
        String hops = cut.text("hops");
        return new ChainText(hops.isEmpty() ? root : root + "\n" + hops, EventText.cut(chain.signature(), MAX_SIGNATURE), cut.head(), cut.tail());
    }

    int hops() {
        return head + tail;
    }

    /** Whether the hop at that position of a chain of {@code size} hops is kept. */
    boolean keeps(int index, int size) {
        return index < head || index >= size - tail;
    }

    private static String line(Hop hop) {
        String from = hop.field() != null ? EventText.name(hop.declaringClass()) + "." + hop.field()
                : hop.index() >= 0 ? EventText.name(hop.holder()) + "[" + hop.index() + "]"
                : EventText.name(hop.holder()) + " (" + hop.kind().word() + (hop.local() == null ? "" : " " + EventText.name(hop.local())) + ")";
        return "  " + from + " -> " + EventText.name(hop.target());
    }
}
