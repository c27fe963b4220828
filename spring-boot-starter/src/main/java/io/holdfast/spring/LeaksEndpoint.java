package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.LeakReport;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Endpoint {@code leaks}: the JSON report, or one leak of it. It holds names of classes and fields and no values of the application, so it may be read by
 * whoever may read the log. Over HTTP {@link LeaksWebExtension} answers instead.
 */
@Endpoint(id = "leaks", defaultAccess = Access.READ_ONLY)
final class LeaksEndpoint {
    static final String JSON = "application/json";
    static final String ACTUATOR_JSON = "application/vnd.spring-boot.actuator.v3+json";
    static final String TEXT = "text/plain";

    private final RunningHoldfast holdfast;

    LeaksEndpoint(RunningHoldfast holdfast) {
        this.holdfast = holdfast;
    }

    /** The whole report; null while there is none. Produces what the extension does: else that would be one more operation, not this one over HTTP. */
    @ReadOperation(produces = {JSON, ACTUATOR_JSON, TEXT})
    public String leaks() {
        return report().map(LeakReport::toJson).orElse(null);
    }

    /** One leak; null when there is none of that id. */
    @ReadOperation(produces = {JSON, ACTUATOR_JSON, TEXT})
    public String leak(@Selector String leakId) {
        return report().flatMap(report -> report.toJson(leakId)).orElse(null);
    }

    private Optional<LeakReport> report() {
        return holdfast.get().flatMap(Holdfast::snapshot);
    }
}
