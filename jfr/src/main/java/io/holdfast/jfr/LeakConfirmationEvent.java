package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.RootConfirmation;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

@Name("holdfast.LeakConfirmation")
@Label("Leak Confirmation")
@Description("What the VM answered when it was asked once what holds a leak (confirm=jfr); its references were not read again. Written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class LeakConfirmationEvent extends Event {
    @LeakId
    @Label("Leak Id")
    String leakId;

    @Label("As Of")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    long sequence;

    @Label("Source")
    @Description("The event with which the VM answered")
    String source;

    @Label("Outcome")
    @Description("chain, no_path or no_sample")
    String outcome;

    @Label("Match")
    @Description("How the object was recognised as one of the leak: class_and_site or class_and_time")
    String match;

    @Label("Samples")
    @Description("Objects that the VM had sampled")
    int samples;

    @Label("Matched Samples")
    int matched;

    @Label("Pause")
    @Description("How long the application was stopped for the answer")
    @Timespan(Timespan.NANOSECONDS)
    long pause;

    @Label("Asked")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long askedAt;

    @Label("Root System")
    String rootSystem;

    @Label("Root Type")
    String rootType;

    @Label("Root Detail")
    String rootDetail;

    @Label("Root Class")
    @Description("Class of the object that the root refers to")
    String rootClass;

    @Label("References")
    @Description("References of the path, before anything was left out")
    int references;

    @Label("Path")
    @Description("One reference a line: holder, field, static, array index, objects left out, target")
    String path;

    @Label("Trace")
    @Description("The same for people")
    String trace;

    static LeakConfirmationEvent of(Leak leak, Texts texts) {
        RootConfirmation answer = leak.confirmation();
        LeakConfirmationEvent event = new LeakConfirmationEvent();
        event.leakId = texts.of(leak.id());
        event.source = texts.of(RootConfirmation.SOURCE);
        event.outcome = texts.of(answer.outcome().word());
        event.match = answer.match() == null ? null : texts.of(answer.match().word());
        event.samples = answer.samples();
        event.matched = answer.matched();
        event.pause = answer.pauseNanos();
        event.askedAt = answer.askedAt().toEpochMilli();
        event.rootSystem = texts.name(answer.rootSystem());
        event.rootType = texts.name(answer.rootType());
        event.rootDetail = texts.name(answer.rootDetail());
        event.rootClass = texts.name(answer.rootClass());
        event.path = texts.of(lines(answer.path()));
        event.references = answer.path().size();
        event.trace = answer.outcome() == RootConfirmation.Outcome.CHAIN ? texts.of(EventText.lines(trace(answer))) : null;
        return event;
    }

    private static String line(RootConfirmation.Step step) {
        return TextList.LINE.write(List.of(step.holder(), step.field() == null ? "" : step.field(), String.valueOf(step.isStatic()),
                String.valueOf(step.index()), String.valueOf(step.skipped()), step.target()));
    }

    /** As many references, from the root on, as have room. */
    private static String lines(List<RootConfirmation.Step> path) {
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (RootConfirmation.Step step : path) {
            String line = line(step);
            bytes += EventText.utf8Bytes(line) + 1;
            if (bytes > EventText.MAX_BYTES) {
                break;
            }
            text.append(text.length() == 0 ? "" : "\n").append(line);
        }
        return text.toString();
    }

    private static String trace(RootConfirmation answer) {
        return answer.rootText() + " -> " + answer.rootClass() + answer.path().stream().map(step -> "\n  " + step.toText() + " -> " + step.target())
                .collect(Collectors.joining());
    }

    static RootConfirmation.Step step(String line) {
        List<String> parts = TextList.LINE.read(line);
        return new RootConfirmation.Step(parts.get(0), parts.get(1).isEmpty() ? null : parts.get(1), Boolean.parseBoolean(parts.get(2)),
                Integer.parseInt(parts.get(3)), Integer.parseInt(parts.get(4)), parts.get(5));
    }
}
