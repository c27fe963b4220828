package io.holdfast;

import java.io.IOException;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Where the program's own classes are, told from its libraries' by the package of its main class, as far as that is known: {@code com.acme.} of
 * {@code com.acme.shop.Main}. The JVM's command line names the class, or a jar whose manifest does; {@code Start-Class} is the main class of a jar that a
 * launcher unpacks.
 */
final class ProgramPackage {
    static final String UNKNOWN = "";
    private static final String COMMAND = "sun.java.command";
    private static final String START_CLASS = "Start-Class";

    private ProgramPackage() { }

    /** What the names of the program's own classes begin with; {@value #UNKNOWN} where it cannot be told. Reads at most one manifest. */
    static String of(Properties system) {
        try {
            String command = system.getProperty(COMMAND, "").trim();
            int space = command.indexOf(' ');
            String first = space < 0 ? command : command.substring(0, space);
            boolean archive = first.endsWith(".jar") || first.endsWith(".war");
            return prefix(archive ? mainClass(first) : first.substring(first.indexOf('/') + 1));
        } catch (IOException | RuntimeException unreadable) {
            return UNKNOWN; // a path with blanks, a jar that is gone
        }
    }

    private static String mainClass(String path) throws IOException {
        try (JarFile jar = new JarFile(path, false)) {
            Manifest manifest = jar.getManifest();
            Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String started = attributes.getValue(START_CLASS);
            String main = started != null ? started : attributes.getValue(Attributes.Name.MAIN_CLASS);
            return main == null ? "" : main.trim();
        }
    }

    /** The first two parts of the package, which are the organisation's; of a package of one part that one. */
    private static String prefix(String className) {
        if (className.indexOf('/') >= 0 || className.indexOf('\\') >= 0) {
            return UNKNOWN; // the beginning of a path with blanks
        }
        int first = className.indexOf('.');
        int second = className.indexOf('.', first + 1);
        return first < 0 ? UNKNOWN : className.substring(0, (second < 0 ? first : second) + 1);
    }
}
