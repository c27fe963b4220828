package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.*;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Puts hooks into a class file: {@code dup; sipush site; invokestatic hook} where the finished object is on top of the stack, and the same for the interval
 * lane where it is asked for. Only inserts, without branches and local variables, so that stack maps stay as they are and no class has to be loaded to
 * compute them. Stateless; any thread.
 */
final class SiteRewriter {
    /** Words on the stack while a hook runs: the object, its length, a constant. */
    private static final int HOOK_STACK = 3;

    private final HookMethod hook;

    SiteRewriter(HookMethod hook) {
        this.hook = hook;
    }

    /** Without hooks of the interval lane. */
    RewrittenClass rewrite(byte[] classFile, List<WantedSite> wanted) {
        return rewrite(classFile, wanted, IntervalForm.NONE);
    }

    /**
     * @param wanted   sites of this class
     * @param interval which hooks of the interval lane are wanted
     * @throws RuntimeException when the class file cannot be read, or a method would become too large
     */
    RewrittenClass rewrite(byte[] classFile, List<WantedSite> wanted, IntervalForm interval) {
        IndexedClassReader reader = new IndexedClassReader(classFile);
        Set<String> methods = interval.allSites() ? null : wanted.stream().map(WantedSite::methodKey).collect(Collectors.toSet());
        AllocationScan.Result scan = AllocationScan.of(reader, methods);
        HookPlacement placement = HookPlacement.of(wanted, scan.methods());
        IntervalPlacement intervals = IntervalPlacement.of(reader.getClassName(), placement, scan.methods(), interval);
        if (placement.hooked().isEmpty() && intervals.isEmpty()) {
            return new RewrittenClass(null, scan.sourceFile(), List.of(), placement.refused(), Map.of(), intervals.skipped());
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        Inserter inserter = new Inserter(writer, reader, placement, intervals);
        reader.accept(inserter, 0);
        byte[] bytes = writer.toByteArray();
        Map<String, HookedMethod> hookedMethods = new HashMap<>();
        inserter.marks.forEach((key, marks) -> hookedMethods.put(key, hookedMethod(marks, scan.methods().get(key).instructions())));
        return new RewrittenClass(bytes, scan.sourceFile(), placement.hooked(), placement.refused(), hookedMethods, intervals.skipped());
    }

    private static HookedMethod hookedMethod(Map<Integer, Label> marks, List<AllocationInstruction> instructions) {
        int[] input = new int[instructions.size()];
        int[] output = new int[instructions.size()];
        for (int i = 0; i < input.length; i++) {
            input[i] = instructions.get(i).index();
            output[i] = marks.get(input[i]).getOffset();
        }
        return new HookedMethod(input, output, instructions.toArray(AllocationInstruction[]::new), false);
    }

    private final class Inserter extends ClassVisitor {
        private final IndexedClassReader reader;
        private final HookPlacement placement;
        private final IntervalPlacement intervals;
        /** Labels at all instructions that may allocate, by index in the input, by method with hooks. */
        private final Map<String, Map<Integer, Label>> marks = new HashMap<>();

        Inserter(ClassWriter writer, IndexedClassReader reader, HookPlacement placement, IntervalPlacement intervals) {
            super(ASM9, writer);
            this.reader = reader;
            this.placement = placement;
            this.intervals = intervals;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            String key = AllocationScan.key(name, descriptor);
            Map<Integer, Integer> hooks = placement.hooksOf(key);
            Map<Integer, Integer> codes = intervals.codesOf(key);
            return hooks.isEmpty() && codes.isEmpty() ? method
                    : new CodeInserter(method, reader, hooks, codes, marks.computeIfAbsent(key, k -> new HashMap<>()));
        }
    }

    private final class CodeInserter extends MethodVisitor {
        private final IndexedClassReader reader;
        private final Map<Integer, Integer> hooks;
        private final Map<Integer, Integer> codes;
        private final Map<Integer, Label> marks;

        CodeInserter(MethodVisitor method, IndexedClassReader reader, Map<Integer, Integer> hooks, Map<Integer, Integer> codes,
                     Map<Integer, Label> marks) {
            super(ASM9, method);
            this.reader = reader;
            this.hooks = hooks;
            this.codes = codes;
            this.marks = marks;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            mark();
            super.visitTypeInsn(opcode, type);
            hookIfWanted();
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            mark();
            super.visitIntInsn(opcode, operand);
            hookIfWanted();
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            mark();
            super.visitMultiANewArrayInsn(descriptor, dimensions);
            hookIfWanted();
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            mark();
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            hookIfWanted();
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            mark();
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
            hookIfWanted();
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + HOOK_STACK, maxLocals);
        }

        private void mark() {
            Label label = new Label();
            super.visitLabel(label);
            marks.put(reader.index(), label);
        }

        private void hookIfWanted() {
            Integer site = hooks.get(reader.index());
            if (site != null) {
                super.visitInsn(DUP);
                super.visitIntInsn(SIPUSH, site);
                // The class file version may be older than static interface methods; the hook is an ordinary class.
                super.visitMethodInsn(INVOKESTATIC, hook.owner(), hook.name(), HookMethod.DESCRIPTOR, false);
            }
            Integer code = codes.get(reader.index());
            if (code != null) {
                count(code);
            }
        }

        private void count(int code) {
            super.visitInsn(DUP);
            if (IntervalCode.kind(code) == IntervalCode.ARRAY) {
                super.visitInsn(DUP);
                super.visitInsn(ARRAYLENGTH);
                super.visitLdcInsn(code);
                super.visitMethodInsn(INVOKESTATIC, hook.owner(), HookBytecode.ARRAY, HookBytecode.ARRAY_DESCRIPTOR, false);
            } else {
                super.visitLdcInsn(code);
                super.visitMethodInsn(INVOKESTATIC, hook.owner(), IntervalCode.kind(code) == IntervalCode.OBJECT ? HookBytecode.SIZED : HookBytecode.EXPIRED,
                        HookMethod.DESCRIPTOR, false);
            }
        }
    }
}
