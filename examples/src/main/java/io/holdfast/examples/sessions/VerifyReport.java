package io.holdfast.examples.sessions;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Checks that the report and the recording of the demo name the true chain. Exit status 0 if they do, 1 if not. */
public final class VerifyReport {
    private VerifyReport() { }

    /**
     * Checks.
     *
     * @param args report.json and recording.jfr
     */
    public static void main(String[] args) throws IOException {
        List<String> faults = new ArrayList<>();
        report(Path.of(args[0]), faults);
        recording(Path.of(args[1]), faults);
        if (!faults.isEmpty()) {
            faults.forEach(f -> System.out.println("NOT FOUND: " + f));
            System.exit(1);
        }
        System.out.println("checked: static SessionRegistry.ACTIVE -> map -> Session, with its allocation line, in the report and in the recording");
    }

    private static void report(Path file, List<String> faults) throws IOException {
        JsonObject report = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        if (report.get("schema").getAsInt() != 1) {
            faults.add("schema 1 in " + file);
        }
        for (JsonElement element : report.getAsJsonArray("leaks")) {
            JsonObject leak = element.getAsJsonObject();
            boolean allocated = false;
            for (JsonElement site : leak.getAsJsonArray("allocation")) {
                allocated |= site.toString().contains("ShopMain.java") || site.toString().contains("Session.java");
            }
            boolean chain = false;
            for (JsonElement candidate : leak.getAsJsonArray("chains")) {
                chain |= isTheTrueOne(candidate.getAsJsonObject());
            }
            if (chain && allocated && leak.get("class").getAsString().equals(Session.class.getName())) {
                return;
            }
        }
        faults.add("a leak of " + Session.class.getName() + " with its chain and allocation line in " + file);
    }

    private static boolean isTheTrueOne(JsonObject chain) {
        if (!chain.getAsJsonObject("root").get("kind").getAsString().equals("static_field")) {
            return false;
        }
        int found = 0;
        for (JsonElement element : chain.getAsJsonArray("edges")) {
            JsonObject edge = element.getAsJsonObject();
            String field = edge.get("field").isJsonNull() ? "" : edge.get("field").getAsString();
            String holder = edge.get("holder").getAsString();
            String target = edge.get("target").getAsString();
            if (found == 0 && holder.equals(SessionRegistry.class.getName()) && field.equals("ACTIVE")
                    || found == 1 && holder.equals("java.util.concurrent.ConcurrentHashMap") && field.equals("table")
                    || found == 2 && target.equals(Session.class.getName())) {
                found++;
            }
        }
        return found == 3;
    }

    private static void recording(Path file, List<String> faults) throws IOException {
        if (!Files.exists(file)) {
            faults.add("recording " + file);
            return;
        }
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals("holdfast.ReferenceChain")
                    && event.toString().contains(SessionRegistry.class.getName() + ".ACTIVE")) {
                return;
            }
        }
        faults.add("a holdfast.ReferenceChain event through " + SessionRegistry.class.getName() + ".ACTIVE in " + file);
    }
}
