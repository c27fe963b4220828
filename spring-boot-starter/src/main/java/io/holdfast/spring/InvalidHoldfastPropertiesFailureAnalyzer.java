package io.holdfast.spring;

import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the properties instead of printing a stack trace. */
final class InvalidHoldfastPropertiesFailureAnalyzer extends AbstractFailureAnalyzer<InvalidHoldfastPropertiesException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidHoldfastPropertiesException cause) {
        String problems = cause.problems().stream().collect(Collectors.joining("\n    - ", "\n\n    - ", ""));
        return new FailureAnalysis("Holdfast cannot be set up with these properties:" + problems,
                "Correct the properties below 'holdfast' in your application's configuration, or set holdfast.enabled=false to start without Holdfast.", cause);
    }
}
