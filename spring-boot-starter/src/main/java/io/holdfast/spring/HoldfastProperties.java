package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastBuilder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Settings of Holdfast. They are its options, in the same words; docs/configuration.md says what is in force where one is not set. Those are null here, so that
 * {@code options} can set them; the defaults that tools show are in {@code additional-spring-configuration-metadata.json}.
 *
 * @param enabled         Whether Holdfast runs in this application.
 * @param options         Options in the syntax of the agent; weaker than the other properties.
 * @param memory          Sampling by bytes as well, INTERVAL[:FLAGS[:RATIO]].
 * @param generations     Whether survivor ages are followed. As soon as this, memory or reference-chains is set, exactly what is set is active.
 * @param referenceChains Whether reference chains are searched, true or false. Sub-options may follow with colons.
 * @param log             Form of leaks in the log.
 * @param report          JSON report to write, rewritten at each finding.
 * @param html            HTML report to write. No effect yet.
 * @param jfr             Flight recording of holdfast.* events to write.
 * @param delay           Time to wait after the application is ready. In seconds if no unit is given.
 * @param stackLocals     Whether threads may name their own local variables as roots.
 * @param tokens          Whether every allocation site is sampled evenly.
 * @param allSites        Whether all allocation sites of the classes that are loaded from now on are instrumented. Dear.
 * @param sites           File of learned allocation sites, instrumented at once on the next start of the JVM.
 * @param confirm         Whether the JVM may be asked about a leak without a chain, which stops the application shortly.
 * @param walk            Limits of the searches for reference chains.
 * @param health          Health indicator.
 * @param info            Contribution to the info endpoint.
 * @param metrics         Meters.
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(@DefaultValue("true") boolean enabled, String options, String memory, Boolean generations, String referenceChains,
                                 LogForm log, String report, String html, String jfr,
                                 @DurationUnit(ChronoUnit.SECONDS) Duration delay, Boolean stackLocals,
                                 Boolean tokens,
                                 Boolean allSites, String sites, Confirm confirm, @DefaultValue Walk walk,
                                 @DefaultValue Health health, @DefaultValue Info info, @DefaultValue Metrics metrics) {
    /** How leaks appear in the log. */
    public enum LogForm {
        /** A block of text for each change of a leak. */
        TEXT,
        /** Not at all. */
        OFF
    }

    /** Who confirms a leak for which no chain is found. */
    public enum Confirm {
        /** The JVM's own sampler of old objects. */
        JFR,
        /** The same, and leaks that have a chain as well; {@code jfr:all}. */
        JFR_ALL,
        /** Nobody. */
        OFF
    }

    /** From which state of a leak on the application is reported as down. */
    public enum FailOn {
        /** A leak is never a reason: whoever restarts on DOWN would restart again and again. */
        NEVER,
        /** Any leak that is more than a suspicion. */
        CONFIRMED
    }

    /**
     * Limits of the searches for reference chains.
     *
     * @param hops            Longest chain.
     * @param budget          Objects admitted in one pass.
     * @param firstPassBudget Objects admitted from the roots in one pass; zero derives it from the budget.
     * @param ttl             Life of one search; zero removes the limit. In milliseconds if no unit is given.
     * @param frontierCap     Entries of the table of one search.
     * @param sliceTarget     Length of one uninterrupted slice of work; pauses nobody. In milliseconds if no unit is given.
     * @param cpuShare        CPU of the Holdfast thread as a share of one core, from 0 to 1.
     */
    public record Walk(Integer hops, Integer budget, Integer firstPassBudget, @DurationUnit(ChronoUnit.MILLIS) Duration ttl, Integer frontierCap,
                       @DurationUnit(ChronoUnit.MILLIS) Duration sliceTarget, Double cpuShare) { }

    /**
     * Health indicator.
     *
     * @param enabled Whether there is a health indicator.
     * @param failOn  State of a leak from which on the application is reported as down.
     */
    public record Health(@DefaultValue("true") boolean enabled, @DefaultValue("never") FailOn failOn) { }

    /**
     * Contribution to the info endpoint.
     *
     * @param enabled Whether the info endpoint tells about Holdfast.
     */
    public record Info(@DefaultValue("true") boolean enabled) { }

    /**
     * Meters.
     *
     * @param enabled Whether meters are published.
     */
    public record Metrics(@DefaultValue("true") boolean enabled) { }

    /** A Holdfast with these settings, not started. Nothing is thrown: {@link HoldfastBuilder#problems()} has what is wrong with them. */
    HoldfastBuilder toBuilder() {
        HoldfastBuilder builder = Holdfast.builder();
        if (!enabled) {
            builder.enabled(false);
        }
        if (delay != null) {
            builder.delay(delay);
        }
        option(builder, "log", log);
        option(builder, "stacklocals", stackLocals);
        option(builder, "tokens", tokens);
        option(builder, "allsites", allSites);
        option(builder, "confirm", confirm == Confirm.JFR_ALL ? "jfr:all" : confirm);
        option(builder, "options", options);
        option(builder, "memory", memory);
        option(builder, "generations", generations);
        option(builder, "referencechains", referenceChains);
        option(builder, "report", report);
        option(builder, "html", html);
        option(builder, "jfr", jfr);
        option(builder, "sites", sites);
        return builder.walk(this::limits);
    }

    private static void option(HoldfastBuilder builder, String key, Object value) {
        if (value != null) {
            builder.option(key, value.toString());
        }
    }

    private void limits(HoldfastBuilder.WalkLimits limits) {
        if (walk.hops != null) {
            limits.hops(walk.hops);
        }
        if (walk.budget != null) {
            limits.budget(walk.budget);
        }
        if (walk.firstPassBudget != null) {
            limits.firstPassBudget(walk.firstPassBudget);
        }
        if (walk.ttl != null) {
            limits.ttl(walk.ttl);
        }
        if (walk.frontierCap != null) {
            limits.frontierCap(walk.frontierCap);
        }
        if (walk.sliceTarget != null) {
            limits.sliceTarget(walk.sliceTarget);
        }
        if (walk.cpuShare != null) {
            limits.cpuShare(walk.cpuShare);
        }
    }
}
