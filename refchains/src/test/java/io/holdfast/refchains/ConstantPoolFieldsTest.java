package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.TrustedLookup;
import java.io.File;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.assertj.core.api.Assertions;

final class ConstantPoolFieldsTest {
    private final MethodHandles.Lookup trusted = TrustedLookup.fromUnsafe().orElseThrow();
    private final VmInternals vm = new VmInternals(trusted);
    private final ConstantPoolFields fields = new ConstantPoolFields(vm, trusted);

    ConstantPoolFieldsTest() throws Exception { }

    /** The plain reference model: what the VM itself tells about many classes. */
    @Example
    void findsWhatTheVmFinds() throws Exception {
        FieldSource reflected = new ReflectedFields(vm);
        Comparator<DeclaredField> byPlace = Comparator.comparing(DeclaredField::fixed).thenComparing(DeclaredField::offset);
        int compared = 0;
        for (Class<?> type : libraryClasses()) {
            List<DeclaredField> expected = new ArrayList<>(reflected.of(type));
            List<DeclaredField> found = new ArrayList<>(fields.of(type));
            expected.sort(byPlace);
            found.sort(byPlace);
            assertThat(found).as(type.getName()).isEqualTo(expected);
            compared += expected.size();
        }
        assertThat(compared).isGreaterThan(200);
    }

    /** Without those of which the VM itself cannot tell the fields. */
    private static List<Class<?>> libraryClasses() throws Exception {
        List<Class<?>> types = new ArrayList<>(List.of(String.class, Thread.class, Class.class, ClassLoader.class, java.util.HashMap.class,
                java.util.concurrent.ThreadPoolExecutor.class, Thread.State.class));
        String jar = new File(Assertions.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
        try (JarFile archive = new JarFile(jar)) {
            for (JarEntry entry : Collections.list(archive.entries())) {
                String name = entry.getName();
                if (name.startsWith("org/assertj/core/api/Abstract") && name.endsWith(".class")) {
                    try {
                        Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()).replace('/', '.'), false,
                                Assertions.class.getClassLoader());
                        type.getDeclaredFields();
                        types.add(type);
                    } catch (LinkageError absentDependency) {
                        continue;
                    }
                }
            }
        }
        return types;
    }

    @Property(tries = 500)
    void knowsTypesOfFields(@ForAll @StringLength(max = 6) @Chars({'L', 'I', '[', ';', '<', 'a', '/', '('}) String text) {
        boolean expected = text.matches("\\[*(I|L[^;<]+;)");
        assertThat(ConstantPoolFields.isFieldType(text)).isEqualTo(expected);
        assertThat(ConstantPoolFields.isReferenceType(text)).isEqualTo(expected && !text.equals("I"));
    }
}
