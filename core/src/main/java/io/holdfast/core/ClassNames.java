package io.holdfast.core;

import java.util.List;
import java.util.regex.Pattern;

/** Class names as people and reports read them. */
public final class ClassNames {
    private static final Pattern HIDDEN = Pattern.compile("[/+.]0x[0-9a-fA-F]+$");
    private static final Pattern NUMBERED = Pattern.compile(
            "(\\$\\$(?:Lambda|EnhancerBySpringCGLIB|SpringCGLIB|FastClassBySpringCGLIB|ByteBuddy|StringConcat)|\\$Proxy|\\$MockitoMock|"
                    + "GeneratedConstructorAccessor|GeneratedMethodAccessor|\\$HibernateProxy|\\$auxiliary)[$/0-9A-Za-z]*");

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private ClassNames() { }

    /** Whether a class of that name belongs to the JDK rather than to the program or its libraries; by its package, as written in source. */
    public static boolean ofJdk(String className) {
        for (String prefix : JDK) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Binary name, with arrays in source form: {@code com.acme.Outer$Inner}, {@code byte[]}, {@code java.lang.Object[][]}. */
    public static String of(Class<?> type) {
        int dimensions = 0;
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
            dimensions++;
        }
        return dimensions == 0 ? element.getName() : element.getName() + "[]".repeat(dimensions);
    }

    /** Turns a JVM array descriptor such as {@code [Ljava.lang.String;} or {@code [B} into source form; other names are returned as they are. */
    public static String fromDescriptor(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return name.replace('/', '.');
        }
        String element = name.substring(dimensions);
        String base = switch (element.charAt(0)) {
            case 'Z' -> "boolean";
            case 'B' -> "byte";
            case 'C' -> "char";
            case 'S' -> "short";
            case 'I' -> "int";
            case 'J' -> "long";
            case 'F' -> "float";
            case 'D' -> "double";
            default -> element.substring(1, element.length() - 1).replace('/', '.');
        };
        return base + "[]".repeat(dimensions);
    }

    /** The name without the numbers that differ from run to run in hidden, proxy and generated classes. */
    public static String stable(String className) {
        if (className == null) {
            return "";
        }
        return NUMBERED.matcher(HIDDEN.matcher(className).replaceAll("")).replaceAll("$1");
    }

    /** The name without package: {@code Outer$Inner[]}. */
    public static String simple(String className) {
        int slash = className.indexOf('/');
        return className.substring(className.lastIndexOf('.', slash < 0 ? className.length() : slash) + 1);
    }
}
