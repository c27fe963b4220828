package io.holdfast.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The finished starter in a finished web application of each line of Spring Boot, with a planted leak, driven over HTTP. {@code /actuator/leaks} has to name the
 * right leak with its chain; and everything else that Actuator shows of Holdfast has to agree.
 */
class SpringBootSmokeTest {
    /** The planted one, and perhaps another one beside it. */
    private static final Pattern EXPLAINED = Pattern.compile("holdfast_leaks\\{state=\"explained\"} [1-9]");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"3.5", "4.0", "4.1"})
    void theLeakOfAWebApplicationIsExplained(String line, @TempDir Path scratch) throws Exception {
        Path jar = Path.of("boot-" + line, "target", "application.jar").toAbsolutePath();
        try (RunningApplication shop = new RunningApplication(scratch, jar)) {
            shop.until("Holdfast is up", () -> shop.log().contains("started  access=self-attached") && shop.answers("/actuator/leaks", 200));
            shop.visit("/visit", 30);
            JsonObject leak = explained(shop, "com.acme.shop.Session", "com.acme.shop.SessionRegistry", "active");
            String id = leak.get("id").getAsString();

            JsonObject single = JsonParser.parseString(shop.body("/actuator/leaks/" + id)).getAsJsonObject();
            assertThat(single.get("id")).isEqualTo(leak.get("id"));
            assertThat(single.getAsJsonArray("chains")).isNotEmpty();
            HttpResponse<String> text = shop.get("/actuator/leaks?format=text");
            assertThat(text.headers().firstValue("Content-Type")).hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
            assertThat(text.body()).contains("LEAK " + id).contains("SessionRegistry.active").contains("access=self-attached");
            assertThat(shop.body("/actuator/leaks/" + id + "?format=text")).startsWith("LEAK " + id);
            assertThat(shop.get("/actuator/leaks").headers().firstValue("Content-Type")).hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
            assertThat(shop.get("/actuator/leaks/ffffffff").statusCode()).isEqualTo(404);
            assertThat(shop.get("/actuator/leaks?format=xml").statusCode()).isEqualTo(400);

            JsonObject health = JsonParser.parseString(shop.body("/actuator/health")).getAsJsonObject();
            JsonObject holdfast = health.getAsJsonObject("components").getAsJsonObject("holdfast");
            assertThat(health.get("status").getAsString()).isEqualTo("UP");
            assertThat(holdfast.get("status").getAsString()).isEqualTo("UP");
            assertThat(holdfast.getAsJsonObject("details").get("verdict").getAsString()).isEqualTo("leaks");
            assertThat(JsonParser.parseString(shop.body("/actuator/info")).getAsJsonObject().getAsJsonObject("holdfast").get("accessLevel").getAsString())
                    .isEqualTo("self-attached");
            shop.until("the meters know it", () -> {
                String scrape = shop.body("/actuator/prometheus");
                return EXPLAINED.matcher(scrape).find() && scrape.contains("holdfast_leak_growth_bytes_s{leak=\"" + id + "\"}");
            });
            assertThat(shop.body("/actuator/prometheus")).doesNotContain("leak=\"com");

            assertThat(shop.stops()).isTrue();
            assertThat(shop.log()).contains("LEAK " + id).doesNotContain("\tat ").doesNotContain("Holdfast: a part did not close");
        }
    }

    /** Takes twice as long as the shops, which run on every JDK. */
    @Test
    @EnabledOnJre(JRE.JAVA_17)
    void theLeakOfThePetClinicIsExplained() throws Exception {
        Path jar = Path.of("..", "examples", "petclinic", "target", "application.jar").toAbsolutePath();
        try (RunningApplication clinic = new RunningApplication(directory, jar, "--holdfast.health.fail-on=confirmed")) {
            clinic.until("Holdfast is up", () -> clinic.log().contains("started  access=self-attached") && clinic.answers("/actuator/leaks", 200));
            clinic.visit("/owners?start=D", 60);
            explained(clinic, "com.acme.clinic.", "com.acme.clinic.OwnerSearchCache", "found");
            clinic.until("health is told", () -> clinic.answers("/actuator/health", 503));
            assertThat(clinic.stops()).isTrue();
        }
    }

    private static JsonObject explained(RunningApplication application, String classStart, String holder, String field) throws InterruptedException {
        AtomicReference<JsonObject> found = new AtomicReference<>();
        application.until("a leak of " + classStart + " held by " + holder + "." + field, () -> {
            JsonObject report = JsonParser.parseString(application.body("/actuator/leaks")).getAsJsonObject();
            assertThat(report.get("schema").getAsInt()).isEqualTo(1);
            for (JsonElement element : report.getAsJsonArray("leaks")) {
                JsonObject leak = element.getAsJsonObject();
                if (leak.get("class").getAsString().startsWith(classStart) && leak.get("state").getAsString().equals("explained") && passes(leak, holder, field)) {
                    found.set(leak);
                }
            }
            return found.get() != null;
        });
        return found.get();
    }

    private static boolean passes(JsonObject leak, String holder, String field) {
        for (JsonElement chain : leak.getAsJsonArray("chains")) {
            for (JsonElement element : chain.getAsJsonObject().getAsJsonArray("edges")) {
                JsonObject edge = element.getAsJsonObject();
                if (edge.get("holder").getAsString().equals(holder) && !edge.get("field").isJsonNull() && edge.get("field").getAsString().equals(field)) {
                    return true;
                }
            }
        }
        return false;
    }
}
