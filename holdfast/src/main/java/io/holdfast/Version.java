package io.holdfast;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Version of Holdfast, as the build wrote it. */
final class Version {
    private Version() { }

    static String read() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/holdfast/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            return "unknown";
        }
        return properties.getProperty("version", "unknown");
    }
}
