package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/** Whole libraries, with a hook at every site, pass the verifier of the JVM. */
class LibraryRewriteTest {
    private static Path jarOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void everySiteOfALibraryCanCarryAHook() throws Exception {
        SiteRewriter rewriter = new SiteRewriter(new HookMethod("fixtures/RecordingHook", "hit"));
        Map<String, byte[]> classes = new HashMap<>();
        int sites = 0;
        int refused = 0;
        for (Class<?> member : List.of(Assertions.class, ClassReader.class)) {
            try (JarFile jar = new JarFile(jarOf(member).toFile())) {
                for (var entry : jar.stream().filter(e -> e.getName().endsWith(".class") && !e.getName().contains("META-INF")
                        && !e.getName().contains("module-info") && !e.getName().contains("bytebuddy")).toList()) {
                    byte[] classFile = jar.getInputStream(entry).readAllBytes();
                    List<WantedSite> wanted = ScannedSites.all(classFile, 0);
                    RewrittenClass result = rewriter.rewrite(classFile, wanted);
                    sites += wanted.size();
                    refused += result.refused().size();
                    classes.put(entry.getName().replace('/', '.').replace(".class", ""), result.bytes() == null ? classFile : result.bytes());
                }
            }
        }
        RewritingLoader loader = new RewritingLoader(classes);
        int verified = 0;
        for (String name : classes.keySet()) {
            try {
                loader.loadClass(name).getDeclaredMethods(); // Links, and so verifies.
                verified++;
            } catch (NoClassDefFoundError missing) {
                // An optional dependency of the library; few, see below.
            }
        }
        assertThat(sites).isGreaterThan(2_000);
        assertThat(refused).isLessThan(sites / 100);
        assertThat(verified).isGreaterThan(classes.size() * 9 / 10).isGreaterThan(200);
    }
}
