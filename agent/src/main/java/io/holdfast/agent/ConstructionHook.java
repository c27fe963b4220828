package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Writes the class that watched constructors call. It is written, not compiled, because it lives in {@code java.lang}, where every class of every
 * module and loader may call it.
 *
 * <pre>{@code
 * static volatile Consumer sink;
 * public static void built(Object instance) { Consumer s = sink; if (s != null) s.accept(instance); }
 * }</pre>
 */
final class ConstructionHook {
    static final String INTERNAL_NAME = "java/lang/HoldfastConstructionHook";
    static final String SINK = "sink";
    static final String BUILT = "built";
    static final String DESCRIPTOR = "(Ljava/lang/Object;)V";
    private static final String CONSUMER = "java/util/function/Consumer";

    private ConstructionHook() { }

    static byte[] write() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        writer.visit(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, INTERNAL_NAME, null, "java/lang/Object", null);
        writer.visitField(ACC_STATIC | ACC_VOLATILE, SINK, "L" + CONSUMER + ";", null, null).visitEnd();
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, BUILT, DESCRIPTOR, null, null);
        code.visitCode();
        Label end = new Label();
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, SINK, "L" + CONSUMER + ";");
        code.visitVarInsn(ASTORE, 1);
        code.visitVarInsn(ALOAD, 1);
        code.visitJumpInsn(IFNULL, end);
        code.visitVarInsn(ALOAD, 1);
        code.visitVarInsn(ALOAD, 0);
        code.visitMethodInsn(INVOKEINTERFACE, CONSUMER, "accept", "(Ljava/lang/Object;)V", true);
        code.visitLabel(end);
        code.visitFrame(F_APPEND, 1, new Object[] {CONSUMER}, 0, null);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
