package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What IDEs complete: every property with its type and default, each with a description. */
class MetadataTest {
    private static JsonObject metadata() throws IOException {
        try (InputStream in = HoldfastProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8)).getAsJsonObject();
        }
    }

    @Test
    void everyPropertyWithTypeAndDefault() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (JsonElement element : metadata().getAsJsonArray("properties")) {
            JsonObject property = element.getAsJsonObject();
            if (property.get("sourceType").getAsString().startsWith("io.holdfast.")) {
                String type = property.get("type").getAsString();
                found.put(property.get("name").getAsString(), type.substring(type.lastIndexOf('.') + 1)
                        + (property.has("defaultValue") ? "=" + property.get("defaultValue").getAsString() : ""));
            }
        }
        assertThat(found).containsExactlyInAnyOrderEntriesOf(Map.ofEntries(Map.entry("holdfast.enabled", "Boolean=true"), Map.entry("holdfast.options", "String"),
                Map.entry("holdfast.memory", "String"), Map.entry("holdfast.generations", "Boolean"), Map.entry("holdfast.reference-chains", "String"),
                Map.entry("holdfast.log", "HoldfastProperties$LogForm=text"), Map.entry("holdfast.report", "String"), Map.entry("holdfast.html", "String"),
                Map.entry("holdfast.jfr", "String"), Map.entry("holdfast.delay", "Duration=0s"), Map.entry("holdfast.stack-locals", "Boolean=true"),
                Map.entry("holdfast.tokens", "Boolean=true"), Map.entry("holdfast.all-sites", "Boolean=false"), Map.entry("holdfast.sites", "String"),
                Map.entry("holdfast.confirm", "HoldfastProperties$Confirm=off"), Map.entry("holdfast.walk.hops", "Integer"),
                Map.entry("holdfast.walk.budget", "Integer"), Map.entry("holdfast.walk.first-pass-budget", "Integer"), Map.entry("holdfast.walk.ttl", "Duration"),
                Map.entry("holdfast.walk.frontier-cap", "Integer"), Map.entry("holdfast.walk.slice-target", "Duration"),
                Map.entry("holdfast.walk.cpu-share", "Double"), Map.entry("holdfast.health.enabled", "Boolean=true"),
                Map.entry("holdfast.health.fail-on", "HoldfastProperties$FailOn=never"), Map.entry("holdfast.info.enabled", "Boolean=true"),
                Map.entry("holdfast.metrics.enabled", "Boolean=true"),
                // the endpoint has these of Boot itself
                Map.entry("management.endpoint.leaks.access", "Access=read_only"), Map.entry("management.endpoint.leaks.cache.time-to-live", "Duration=0ms"),
                Map.entry("management.endpoint.leaks.enabled", "Boolean=true")));
    }

    @Test
    void everyPropertyOfOursIsDescribed() throws IOException {
        for (JsonElement element : metadata().getAsJsonArray("properties")) {
            JsonObject property = element.getAsJsonObject();
            if (property.get("sourceType").getAsString().startsWith("io.holdfast.")) {
                assertThat(property.has("description")).as(property.get("name").getAsString()).isTrue();
                assertThat(property.get("description").getAsString()).endsWith(".").doesNotStartWith("The ").doesNotStartWith("A ");
            }
        }
    }

    @Test
    void conditionsAreFilteredEagerly() throws IOException {
        try (InputStream in = HoldfastProperties.class.getResourceAsStream("/META-INF/spring-autoconfigure-metadata.properties")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("io.holdfast.spring.HoldfastMetricsAutoConfiguration.ConditionalOnClass=")
                    .contains("org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration")
                    .contains("org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration");
        }
    }
}
