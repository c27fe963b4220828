package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.LeakReport;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;
import org.springframework.util.MimeType;

/** Endpoint {@code leaks} over HTTP: JSON, or with {@code ?format=text} what the log shows. */
@EndpointWebExtension(endpoint = LeaksEndpoint.class)
final class LeaksWebExtension {
    private static final MimeType JSON = MimeType.valueOf(LeaksEndpoint.JSON);
    private static final MimeType TEXT = MimeType.valueOf(LeaksEndpoint.TEXT + ";charset=UTF-8");

    private final RunningHoldfast holdfast;

    LeaksWebExtension(RunningHoldfast holdfast) {
        this.holdfast = holdfast;
    }

    /** The whole report. */
    @ReadOperation(produces = {LeaksEndpoint.JSON, LeaksEndpoint.ACTUATOR_JSON, LeaksEndpoint.TEXT})
    public WebEndpointResponse<String> leaks(@Nullable String format) {
        return answer(format, report -> Optional.of(report.toJson()), report -> Optional.of(report.toText()));
    }

    /** One leak. */
    @ReadOperation(produces = {LeaksEndpoint.JSON, LeaksEndpoint.ACTUATOR_JSON, LeaksEndpoint.TEXT})
    public WebEndpointResponse<String> leak(@Selector String leakId, @Nullable String format) {
        return answer(format, report -> report.toJson(leakId), report -> report.leak(leakId).map(Holdfast::describe));
    }

    private WebEndpointResponse<String> answer(String format, Function<LeakReport, Optional<String>> json, Function<LeakReport, Optional<String>> text) {
        boolean asText = "text".equals(format);
        if (!asText && format != null && !format.equals("json")) {
            return new WebEndpointResponse<>("Unknown format. Allowed: json, text.\n", WebEndpointResponse.STATUS_BAD_REQUEST, TEXT);
        }
        Optional<LeakReport> report;
        try {
            report = holdfast.get().flatMap(Holdfast::snapshot);
        } catch (RuntimeException | LinkageError e) {
            return new WebEndpointResponse<>("Holdfast cannot be asked: " + e + "\n", WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, TEXT);
        }
        if (report.isEmpty()) {
            return new WebEndpointResponse<>("Holdfast does not run in this application context; its log says why.\n",
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, TEXT);
        }
        return report.flatMap(asText ? text : json).map(body -> new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_OK, asText ? TEXT : JSON))
                .orElseGet(() -> new WebEndpointResponse<>("There is no leak of that id.\n", WebEndpointResponse.STATUS_NOT_FOUND, TEXT));
    }
}
