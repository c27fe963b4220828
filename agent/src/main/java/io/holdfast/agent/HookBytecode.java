package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Writes the hook class. It is written, not compiled, because it lives in {@code java.lang}, where every class of every module and loader may call
 * it, and uses annotations and methods that only {@code java.base} may use.
 *
 * <pre>{@code
 * static final int[] tokens; static volatile ObjLongConsumer sink; static final AtomicIntegerArray inside;
 * @ForceInline static void hit(Object instance, int site) { if (tokens[site] > 0) slow(instance, site); }
 *
 * static final long[] left; static final long[] sizes; static volatile ObjLongConsumer interval;
 * @ForceInline static void sized(Object instance, int code) {
 *     int stripe = (int) threadId & (STRIPES - 1);
 *     if ((left[stripe << STRIPE_SHIFT] -= sizes[shape of code]) < 0) expired(instance, code);
 * }
 * @ForceInline static void array(Object instance, int length, int code) { ... the bytes of an array, the same }
 * @DontInline static void expired(Object instance, int code) { interval.accept(instance, threadId << THREAD_SHIFT | code); }
 * }</pre>
 *
 * <p>{@code hit} is the token lane and knows nothing of the interval lane: what nobody asks for costs nothing. Two threads that share a stripe may lose
 * a subtraction; that moves a sample, it favours no object.
 *
 * <p>The slow path takes no lock and lets nothing escape. A slot of {@code inside}, chosen by the identity hash of the thread, is held while it
 * runs: a nested hit of the same thread finds it taken and returns. Two threads that share a slot at the same moment cost one of them a sample
 * (its token is kept). Slots hold 0 or 1, so that no thread is kept alive.
 */
final class HookBytecode {
    static final String INTERNAL_NAME = "java/lang/HoldfastAllocationHook";
    static final String TOKENS = "tokens";
    static final String SINK = "sink";
    static final String INSIDE = "inside";
    static final String HIT = "hit";
    static final int MAX_SITES = 1 << HookBytecode.SITE_BITS;
    /** The sink gets one long: thread id, shifted by this, or site id. */
    static final int SITE_BITS = 12;

    static final String LEFT = "left";
    static final String SIZES = "sizes";
    static final String INTERVAL = "interval";
    static final String SIZED = "sized";
    static final String ARRAY = "array";
    static final String EXPIRED = "expired";
    static final String ARRAY_DESCRIPTOR = "(Ljava/lang/Object;II)V";
    /** Countdowns, each in a cache line of its own. */
    static final int STRIPES = 64;
    static final int STRIPE_SHIFT = 3;
    /** The sink of the interval lane gets one long: thread id, shifted by this, or the code of the instruction, see {@link IntervalCode}. */
    static final int THREAD_SHIFT = 30;

    private static final String SLOW = "slow";
    private static final int SLOTS = 256;
    private static final String SINK_TYPE = "java/util/function/ObjLongConsumer";
    private static final String INSIDE_TYPE = "java/util/concurrent/atomic/AtomicIntegerArray";
    private static final String UNSAFE = "jdk/internal/misc/Unsafe";
    private static final String TID_OFFSET = "threadIdOffset";
    private static final int FIRST_FEATURE_WITH_FINAL_THREAD_ID = 19;

    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    private final boolean finalThreadId;

    private final long arrayBase;

    private HookBytecode(int javaFeature, long arrayBase) {
        this.arrayBase = arrayBase;
        this.finalThreadId = javaFeature >= FIRST_FEATURE_WITH_FINAL_THREAD_ID;
    }

    /** The class for a JVM of that feature release, where the elements of an array begin after so many bytes. */
    static byte[] write(int javaFeature, long arrayBase) {
        return new HookBytecode(javaFeature, arrayBase).write();
    }

    private byte[] write() {
        writer.visit(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, INTERNAL_NAME, null, "java/lang/Object", null);
        field(TOKENS, "[I", ACC_FINAL);
        field(SINK, "L" + SINK_TYPE + ";", ACC_VOLATILE);
        field(INSIDE, "L" + INSIDE_TYPE + ";", ACC_FINAL);
        field(LEFT, "[J", ACC_FINAL);
        field(SIZES, "[J", ACC_FINAL);
        field(INTERVAL, "L" + SINK_TYPE + ";", ACC_VOLATILE);
        if (!finalThreadId) {
            field(TID_OFFSET, "J", ACC_FINAL);
        }
        staticInitialiser();
        hit();
        slow();
        sized();
        array();
        expired();
        writer.visitEnd();
        return writer.toByteArray();
    }

    private void field(String name, String descriptor, int modifier) {
        FieldVisitor field = writer.visitField(ACC_STATIC | modifier, name, descriptor, null, null);
        field.visitEnd();
    }

    private void staticInitialiser() {
        MethodVisitor code = writer.visitMethod(ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        code.visitIntInsn(SIPUSH, MAX_SITES);
        code.visitIntInsn(NEWARRAY, T_INT);
        code.visitFieldInsn(PUTSTATIC, INTERNAL_NAME, TOKENS, "[I");
        code.visitTypeInsn(NEW, INSIDE_TYPE);
        code.visitInsn(DUP);
        code.visitIntInsn(SIPUSH, SLOTS);
        code.visitMethodInsn(INVOKESPECIAL, INSIDE_TYPE, "<init>", "(I)V", false);
        code.visitFieldInsn(PUTSTATIC, INTERNAL_NAME, INSIDE, "L" + INSIDE_TYPE + ";");
        longs(code, LEFT, STRIPES << STRIPE_SHIFT);
        longs(code, SIZES, IntervalCode.MAX_SHAPES);
        if (!finalThreadId) {
            code.visitMethodInsn(INVOKESTATIC, UNSAFE, "getUnsafe", "()L" + UNSAFE + ";", false);
            code.visitLdcInsn(Type.getObjectType("java/lang/Thread"));
            code.visitLdcInsn("tid");
            code.visitMethodInsn(INVOKEVIRTUAL, UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J", false);
            code.visitFieldInsn(PUTSTATIC, INTERNAL_NAME, TID_OFFSET, "J");
        }
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private static void longs(MethodVisitor code, String field, int length) {
        code.visitIntInsn(SIPUSH, length);
        code.visitIntInsn(NEWARRAY, T_LONG);
        code.visitFieldInsn(PUTSTATIC, INTERNAL_NAME, field, "[J");
    }

    private void hit() {
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, HIT, HookMethod.DESCRIPTOR, null, null);
        code.visitAnnotation("Ljdk/internal/vm/annotation/ForceInline;", true).visitEnd();
        code.visitCode();
        Label end = new Label();
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, TOKENS, "[I");
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(IALOAD);
        code.visitJumpInsn(IFLE, end);
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(ILOAD, 1);
        code.visitMethodInsn(INVOKESTATIC, INTERNAL_NAME, SLOW, HookMethod.DESCRIPTOR, false);
        code.visitLabel(end);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private void slow() {
        MethodVisitor code = writer.visitMethod(ACC_PRIVATE | ACC_STATIC, SLOW, HookMethod.DESCRIPTOR, null, null);
        // Never inlined: the body would only dilute the caller's code.
        code.visitAnnotation("Ljdk/internal/vm/annotation/DontInline;", true).visitEnd();
        code.visitCode();
        Label start = new Label();
        Label guarded = new Label();
        Label guardedEnd = new Label();
        Label thrown = new Label();
        Label release = new Label();
        Label stop = new Label();
        Label swallow = new Label();
        Label end = new Label();
        code.visitTryCatchBlock(guarded, guardedEnd, thrown, "java/lang/Throwable");
        code.visitTryCatchBlock(start, stop, swallow, "java/lang/Throwable");

        code.visitLabel(start);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, SINK, "L" + SINK_TYPE + ";");
        code.visitVarInsn(ASTORE, 2);
        code.visitVarInsn(ALOAD, 2);
        code.visitJumpInsn(IFNULL, end);
        code.visitMethodInsn(INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", false);
        code.visitVarInsn(ASTORE, 3);
        code.visitVarInsn(ALOAD, 3);
        code.visitMethodInsn(INVOKESTATIC, "java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", false);
        code.visitIntInsn(SIPUSH, SLOTS - 1);
        code.visitInsn(IAND);
        code.visitVarInsn(ISTORE, 4);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, INSIDE, "L" + INSIDE_TYPE + ";");
        code.visitVarInsn(ILOAD, 4);
        code.visitInsn(ICONST_0);
        code.visitInsn(ICONST_1);
        code.visitMethodInsn(INVOKEVIRTUAL, INSIDE_TYPE, "compareAndSet", "(III)Z", false);
        code.visitJumpInsn(IFEQ, end);

        code.visitLabel(guarded);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, TOKENS, "[I");
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(DUP2);
        code.visitInsn(IALOAD);
        code.visitInsn(ICONST_1);
        code.visitInsn(ISUB);
        code.visitInsn(IASTORE);
        code.visitVarInsn(ALOAD, 2);
        code.visitVarInsn(ALOAD, 0);
        threadId(code, 3);
        code.visitIntInsn(BIPUSH, SITE_BITS);
        code.visitInsn(LSHL);
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(I2L);
        code.visitInsn(LOR);
        code.visitMethodInsn(INVOKEINTERFACE, SINK_TYPE, "accept", "(Ljava/lang/Object;J)V", true);
        code.visitJumpInsn(GOTO, release);
        code.visitLabel(guardedEnd);
        code.visitLabel(thrown);
        code.visitInsn(POP);
        code.visitLabel(release);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, INSIDE, "L" + INSIDE_TYPE + ";");
        code.visitVarInsn(ILOAD, 4);
        code.visitInsn(ICONST_0);
        code.visitMethodInsn(INVOKEVIRTUAL, INSIDE_TYPE, "set", "(II)V", false);
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(stop);
        code.visitLabel(swallow);
        code.visitInsn(POP);
        code.visitLabel(end);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Locals: 0 instance, 1 code, 2 bytes, 4 index of the stripe. */
    private void sized() {
        MethodVisitor code = inlined(SIZED, HookMethod.DESCRIPTOR);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, SIZES, "[J");
        code.visitVarInsn(ILOAD, 1);
        code.visitIntInsn(BIPUSH, IntervalCode.SHAPE_SHIFT);
        code.visitInsn(IUSHR);
        code.visitIntInsn(SIPUSH, IntervalCode.MAX_SHAPES - 1);
        code.visitInsn(IAND);
        code.visitInsn(LALOAD);
        code.visitVarInsn(LSTORE, 2);
        countDown(code, 1, 2, 4);
    }

    /** Locals: 0 instance, 1 length, 2 code, 3 bytes, 5 index of the stripe. */
    private void array() {
        MethodVisitor code = inlined(ARRAY, ARRAY_DESCRIPTOR);
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(I2L);
        code.visitVarInsn(ILOAD, 2);
        code.visitIntInsn(BIPUSH, IntervalCode.SHAPE_SHIFT);
        code.visitInsn(IUSHR);
        code.visitInsn(ICONST_3);
        code.visitInsn(IAND);
        code.visitInsn(LSHL);
        code.visitLdcInsn(arrayBase + 7);
        code.visitInsn(LADD);
        code.visitLdcInsn(-8L);
        code.visitInsn(LAND);
        code.visitVarInsn(LSTORE, 3);
        countDown(code, 2, 3, 5);
    }

    private MethodVisitor inlined(String name, String descriptor) {
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, descriptor, null, null);
        code.visitAnnotation("Ljdk/internal/vm/annotation/ForceInline;", true).visitEnd();
        code.visitCode();
        return code;
    }

    private void countDown(MethodVisitor code, int codeLocal, int bytesLocal, int stripeLocal) {
        Label end = new Label();
        code.visitMethodInsn(INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", false);
        code.visitVarInsn(ASTORE, stripeLocal);
        threadId(code, stripeLocal);
        code.visitInsn(L2I);
        code.visitIntInsn(BIPUSH, STRIPES - 1);
        code.visitInsn(IAND);
        code.visitInsn(ICONST_0 + STRIPE_SHIFT);
        code.visitInsn(ISHL);
        code.visitVarInsn(ISTORE, stripeLocal);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, LEFT, "[J");
        code.visitVarInsn(ILOAD, stripeLocal);
        code.visitInsn(DUP2);
        code.visitInsn(LALOAD);
        code.visitVarInsn(LLOAD, bytesLocal);
        code.visitInsn(LSUB);
        code.visitInsn(DUP2_X2);
        code.visitInsn(LASTORE);
        code.visitInsn(LCONST_0);
        code.visitInsn(LCMP);
        code.visitJumpInsn(IFGE, end);
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(ILOAD, codeLocal);
        code.visitMethodInsn(INVOKESTATIC, INTERNAL_NAME, EXPIRED, HookMethod.DESCRIPTOR, false);
        code.visitLabel(end);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** Also called by instrumented code itself, where the size is not known beforehand. */
    private void expired() {
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, EXPIRED, HookMethod.DESCRIPTOR, null, null);
        code.visitAnnotation("Ljdk/internal/vm/annotation/DontInline;", true).visitEnd();
        code.visitCode();
        Label start = new Label();
        Label stop = new Label();
        Label swallow = new Label();
        Label end = new Label();
        code.visitTryCatchBlock(start, stop, swallow, "java/lang/Throwable");
        code.visitLabel(start);
        code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, INTERVAL, "L" + SINK_TYPE + ";");
        code.visitVarInsn(ASTORE, 2);
        code.visitVarInsn(ALOAD, 2);
        code.visitJumpInsn(IFNULL, end);
        code.visitMethodInsn(INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;", false);
        code.visitVarInsn(ASTORE, 3);
        code.visitVarInsn(ALOAD, 2);
        code.visitVarInsn(ALOAD, 0);
        threadId(code, 3);
        code.visitIntInsn(BIPUSH, THREAD_SHIFT);
        code.visitInsn(LSHL);
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(I2L);
        code.visitInsn(LOR);
        code.visitMethodInsn(INVOKEINTERFACE, SINK_TYPE, "accept", "(Ljava/lang/Object;J)V", true);
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(stop);
        code.visitLabel(swallow);
        code.visitInsn(POP);
        code.visitLabel(end);
        code.visitInsn(RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    /** {@code Thread.getId} may be overridden by the application, so it is not called: {@code threadId} is final; before it the field is read. */
    private void threadId(MethodVisitor code, int threadLocal) {
        if (finalThreadId) {
            code.visitVarInsn(ALOAD, threadLocal);
            code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Thread", "threadId", "()J", false);
        } else {
            code.visitMethodInsn(INVOKESTATIC, UNSAFE, "getUnsafe", "()L" + UNSAFE + ";", false);
            code.visitVarInsn(ALOAD, threadLocal);
            code.visitFieldInsn(GETSTATIC, INTERNAL_NAME, TID_OFFSET, "J");
            code.visitMethodInsn(INVOKEVIRTUAL, UNSAFE, "getLong", "(Ljava/lang/Object;J)J", false);
        }
    }
}
