package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.LeakReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Version, access level and verdict for the info endpoint. */
final class HoldfastInfoContributor implements InfoContributor {
    private final RunningHoldfast holdfast;

    HoldfastInfoContributor(RunningHoldfast holdfast) {
        this.holdfast = holdfast;
    }

    @Override
    public void contribute(Info.Builder builder) {
        latest().ifPresent(report -> {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("version", report.version());
            details.put("accessLevel", report.jvm().accessLevel());
            details.put("verdict", report.verdict());
            builder.withDetail("holdfast", details);
        });
    }

    /** What the application says about itself does not fail because of us. */
    private Optional<LeakReport> latest() {
        try {
            return holdfast.get().flatMap(Holdfast::latest);
        } catch (RuntimeException | LinkageError e) {
            return Optional.empty();
        }
    }
}
