package io.holdfast.agent;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** All allocating instructions of a class file, as sites to ask for. */
final class ScannedSites {
    private ScannedSites() { }

    static Set<String> methods(byte[] classFile) {
        Set<String> methods = new LinkedHashSet<>();
        new ClassReader(classFile).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                methods.add(name + descriptor);
                return null;
            }
        }, ClassReader.SKIP_CODE);
        return methods;
    }

    /** Exact sites with ids from {@code firstId}, in the order of the class file. */
    static List<WantedSite> all(byte[] classFile, int firstId) {
        List<WantedSite> sites = new ArrayList<>();
        Set<String> methods = methods(classFile);
        AllocationScan.Result scan = AllocationScan.of(new IndexedClassReader(classFile), methods);
        for (String method : methods) {
            AllocationScan.ScannedMethod scanned = scan.methods().get(method);
            if (scanned == null) {
                continue;
            }
            int descriptor = method.indexOf('(');
            for (AllocationInstruction made : scanned.instructions()) {
                if (!made.type().isEmpty()) {
                    sites.add(new WantedSite(firstId + sites.size(), method.substring(0, descriptor), method.substring(descriptor), made.index(),
                            made.line(), made.type()));
                }
            }
        }
        return sites;
    }

    static AllocationInstruction first(byte[] classFile, String method, String descriptor, String allocatedClass) {
        return AllocationScan.of(new IndexedClassReader(classFile), Set.of(method + descriptor)).methods().get(method + descriptor).instructions().stream()
                .filter(made -> made.type().equals(allocatedClass)).findFirst().orElseThrow();
    }
}
