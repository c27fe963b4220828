package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramPackageTest {
    @TempDir
    Path scratch;

    private static String of(String command) {
        Properties system = new Properties();
        system.setProperty("sun.java.command", command);
        return ProgramPackage.of(system);
    }

    private String ofJar(String key, String value) throws IOException {
        return ofArchive("program.jar", key, value);
    }

    private String ofArchive(String name, String key, String value) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Main-Class", "org.launcher.Launcher");
        manifest.getMainAttributes().putValue(key, value);
        Path jar = scratch.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.flush();
        }
        return of(jar + " --server.port=0");
    }

    @ParameterizedTest
    @CsvSource({"com.acme.shop.Main one two, com.acme.", "app.CaseMain, app.", "com.acme.Main, com.acme.", "shop/com.acme.shop.Main, com.acme.", "Main, ''", "'', ''",
            "no/such/file.jar, ''", "/opt/shop-1.2/my shop.jar, ''", "'C:\\shop.new\\my shop.jar', ''"})
    void fromTheCommandLine(String command, String prefix) {
        assertThat(of(command)).isEqualTo(prefix);
    }

    @Test
    void fromTheManifestOfAJar() throws IOException {
        assertThat(ofJar("Main-Class", "com.acme.shop.Main")).isEqualTo("com.acme.");
        assertThat(ofJar("Start-Class", "com.acme.shop.Main")).as("the launcher's own class says nothing").isEqualTo("com.acme.");
        assertThat(ofArchive("program.war", "Start-Class", "com.acme.shop.Main")).as("one that runs by itself").isEqualTo("com.acme.");
    }

    @Test
    void whereNothingIsKnown() {
        assertThat(ProgramPackage.of(new Properties())).isEmpty();
    }
}
