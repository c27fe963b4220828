package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.util.LinkedHashMap;
import java.util.Map;
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
        holdfast.get().flatMap(Holdfast::latest).ifPresent(report -> {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("version", report.version());
            details.put("accessLevel", report.jvm().accessLevel());
            details.put("verdict", report.verdict());
            builder.withDetail("holdfast", details);
        });
    }
}
