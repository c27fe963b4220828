package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveEstimate;

/** A leak as a block of text for people who read a recording without our report. Plain appends: the first use of a formatter costs 10 ms. */
final class LeakText {
    private LeakText() { }

    static String of(Leak leak) {
        StringBuilder text = new StringBuilder();
        text.append("LEAK ").append(leak.id()).append("  ").append(EventText.name(leak.className())).append("  ").append(leak.state().word())
                .append(" (").append(leak.outcome()).append(')');
        LiveEstimate live = leak.live();
        if (live != null) {
            text.append("\n  ").append(live.tracked()).append(" tracked instances alive, about ").append(live.estimatedInstances()).append(" in all, ")
                    .append(live.estimatedBytes()).append(" bytes, growing by ").append(live.bytesPerHour()).append(" bytes an hour");
        }
        Leak.Growth growth = leak.growth();
        if (growth != null) {
            text.append("\n  held by ").append(EventText.name(growth.holder())).append(" (").append(EventText.name(growth.containerClass())).append(", ")
                    .append(growth.elements()).append(" elements, ").append(growth.elementsGrowth() < 0 ? "" : "+").append(growth.elementsGrowth())
                    .append("), ").append(Math.round(growth.share() * 100)).append(" % of the instances sought");
        }
        for (AllocationEvidence evidence : leak.allocation()) {
            text.append("\n  allocated at ").append(EventText.name(evidence.site())).append(" on ").append(EventText.joined(", ", evidence.threads()));
        }
        if (!leak.chains().isEmpty()) {
            text.append("\n\n").append(ChainText.of(leak.chains().get(0)).trace());
        }
        leak.hints().forEach(hint -> text.append("\n  hint: ").append(EventText.name(hint)));
        return text.toString();
    }
}
