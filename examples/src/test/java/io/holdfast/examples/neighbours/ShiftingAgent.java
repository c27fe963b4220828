package io.holdfast.examples.neighbours;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** An agent as tracing tools have them: puts code at the beginning of methods, at loading and again at each retransformation, so that all indices move. */
public final class ShiftingAgent implements ClassFileTransformer {
    private ShiftingAgent() { }

    public static void premain(String ignored, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ShiftingAgent(), true);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
        if (name == null || !name.equals(Neighbours.Work.class.getName().replace('.', '/'))) {
            return null;
        }
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
                MethodVisitor inner = super.visitMethod(access, method, descriptor, signature, exceptions);
                return method.startsWith("<") ? inner : new MethodVisitor(Opcodes.ASM9, inner) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        for (int i = 0; i < 5; i++) {
                            visitLdcInsn("entered " + method);
                            visitInsn(Opcodes.POP);
                        }
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }
}
