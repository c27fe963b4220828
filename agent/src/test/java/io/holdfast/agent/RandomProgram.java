package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.*;

import fixtures.AllocationKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * A class made at random that allocates in every way bytecode knows, in every place a compiler may put it, and beside it a plain interpreter of the same program
 * that says which objects are made, in what order. {@code run(int)} is its entry; the bits of the argument decide its branches.
 */
final class RandomProgram {
    static final String NAME = "fixtures/RandomProgram";
    private static final String PAIR = AllocationKinds.Pair.class.getName().replace('.', '/');
    private static final String PLAIN = AllocationKinds.Plain.class.getName().replace('.', '/');
    private static final String REFUSED = "fixtures/EveryAllocation$Refused";
    private static final String RUN = "(I)Ljava/lang/Object;";
    private static final int MAX_NODES = 300;

    private final Random random;
    private final List<Node> methods = new ArrayList<>();
    private final Node first;
    private final Node second;
    private final Node entry;
    private int nodes;
    private int bits;

    /** What the program made, and what it returned. */
    record Run(List<String> made, String result) { }

    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** An expression: leaves one reference on the stack. */
    private interface Node {
        void write(MethodVisitor code);

        /** Adds the classes of the objects in the order in which they are finished; the value's shape. */
        String run(int argument, List<String> made);
    }

    RandomProgram(long seed) {
        random = new Random(seed);
        // Of the constructor; it makes no object of its own class, or it would never end.
        first = node(3, false);
        second = node(3, false);
        entry = node(7, true);
    }

    Run interpret(int argument) {
        List<String> made = new ArrayList<>();
        String result;
        try {
            result = entry.run(argument, made);
        } catch (Thrown expected) {
            result = "thrown";
        }
        return new Run(made, result);
    }

    byte[] write() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
            @Override
            protected String getCommonSuperClass(String left, String right) {
                return "java/lang/Object";
            }
        };
        writer.visit(V17, ACC_PUBLIC, NAME, null, PAIR, null);
        MethodVisitor constructor = writer.visitMethod(ACC_PUBLIC, "<init>", "(I)V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(ALOAD, 0);
        // The parameter is local 1 here and local 0 elsewhere; nodes read local 2, which exists in both.
        constructor.visitVarInsn(ILOAD, 1);
        constructor.visitVarInsn(ISTORE, 2);
        first.write(constructor);
        second.write(constructor);
        constructor.visitMethodInsn(INVOKESPECIAL, PAIR, "<init>", "(Ljava/lang/Object;Ljava/lang/Object;)V", false);
        end(constructor, RETURN);
        MethodVisitor chained = writer.visitMethod(ACC_PUBLIC, "<init>", "(Ljava/lang/Object;I)V", null, null);
        chained.visitCode();
        chained.visitVarInsn(ALOAD, 0);
        chained.visitVarInsn(ILOAD, 2);
        chained.visitMethodInsn(INVOKESPECIAL, NAME, "<init>", "(I)V", false);
        end(chained, RETURN);
        method(writer, "run", entry);
        for (int i = 0; i < methods.size(); i++) {
            method(writer, "m" + i, methods.get(i));
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static void method(ClassWriter writer, String name, Node body) {
        MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, name, RUN, null, null);
        code.visitCode();
        code.visitVarInsn(ILOAD, 0);
        code.visitVarInsn(ISTORE, 2);
        body.write(code);
        end(code, ARETURN);
    }

    private static void end(MethodVisitor code, int opcode) {
        code.visitInsn(opcode);
        code.visitMaxs(0, 0);
        code.visitEnd();
    }

    private Node node(int depth, boolean own) {
        if (depth == 0 || ++nodes > MAX_NODES) {
            return new Nothing();
        }
        return switch (random.nextInt(own ? 16 : 15)) {
            case 0 -> new Nothing();
            case 1 -> new Made(PLAIN, "()V", List.of());
            case 2, 3, 4 -> new Made(PAIR, "(Ljava/lang/Object;Ljava/lang/Object;)V", List.of(node(depth - 1, own), node(depth - 1, own)));
            case 5 -> new Primitives(random.nextInt(8), random.nextInt(5));
            case 6 -> new References(node(depth - 1, own), random.nextInt(1, 4));
            case 7 -> new Rows();
            case 8, 9 -> new Choice(bits++ % 31, node(depth - 1, own), node(depth - 1, own));
            case 10 -> new Cloned(random.nextInt(4));
            case 11 -> new Dropped(node(depth - 1, own), node(depth - 1, own));
            case 12 -> called(new Repeated(random.nextInt(1, 4), node(depth - 1, own)));
            case 13 -> called(new Caught(node(depth - 1, own), node(depth - 1, own)));
            case 14 -> new Refuses(node(depth - 1, own));
            default -> new Own(random.nextBoolean());
        };
    }

    /** What must not have anything below it on the stack, or takes a local variable, gets a method of its own. */
    private Node called(Node body) {
        int number = methods.size();
        methods.add(body);
        return new Node() {
            @Override
            public void write(MethodVisitor code) {
                code.visitVarInsn(ILOAD, 2);
                code.visitMethodInsn(INVOKESTATIC, NAME, "m" + number, RUN, false);
            }

            @Override
            public String run(int argument, List<String> made) {
                return body.run(argument, made);
            }
        };
    }

    private static final class Nothing implements Node {
        @Override
        public void write(MethodVisitor code) {
            code.visitInsn(ACONST_NULL);
        }

        @Override
        public String run(int argument, List<String> made) {
            return "null";
        }
    }

    private record Made(String type, String descriptor, List<Node> arguments) implements Node {
        @Override
        public void write(MethodVisitor code) {
            code.visitTypeInsn(NEW, type);
            code.visitInsn(DUP);
            arguments.forEach(argument -> argument.write(code));
            code.visitMethodInsn(INVOKESPECIAL, type, "<init>", descriptor, false);
        }

        @Override
        public String run(int argument, List<String> made) {
            List<String> parts = new ArrayList<>();
            arguments.forEach(node -> parts.add(node.run(argument, made)));
            String name = type.replace('/', '.');
            made.add(name);
            return name + (parts.isEmpty() ? "" : parts.toString());
        }
    }

    /** An object of this very class, whose constructor allocates before it calls {@code super(…)}, directly or by way of {@code this(…)}. */
    private final class Own implements Node {
        private final boolean byAnother;

        Own(boolean byAnother) {
            this.byAnother = byAnother;
        }

        @Override
        public void write(MethodVisitor code) {
            code.visitTypeInsn(NEW, NAME);
            code.visitInsn(DUP);
            if (byAnother) {
                code.visitInsn(ACONST_NULL);
            }
            code.visitVarInsn(ILOAD, 2);
            code.visitMethodInsn(INVOKESPECIAL, NAME, "<init>", byAnother ? "(Ljava/lang/Object;I)V" : "(I)V", false);
        }

        @Override
        public String run(int argument, List<String> made) {
            List<String> parts = List.of(first.run(argument, made), second.run(argument, made));
            made.add(NAME.replace('/', '.'));
            return NAME.replace('/', '.') + parts;
        }
    }

    private record Primitives(int kind, int length) implements Node {
        private static final String[] NAMES = {"boolean", "char", "float", "double", "byte", "short", "int", "long"};

        @Override
        public void write(MethodVisitor code) {
            code.visitInsn(ICONST_0 + length);
            code.visitIntInsn(NEWARRAY, T_BOOLEAN + kind);
        }

        @Override
        public String run(int argument, List<String> made) {
            made.add(NAMES[kind] + "[]");
            return NAMES[kind] + "[]" + length;
        }
    }

    private record References(Node element, int length) implements Node {
        @Override
        public void write(MethodVisitor code) {
            code.visitInsn(ICONST_0 + length);
            code.visitTypeInsn(ANEWARRAY, "java/lang/Object");
            code.visitInsn(DUP);
            code.visitInsn(ICONST_0);
            element.write(code);
            code.visitInsn(AASTORE);
        }

        @Override
        public String run(int argument, List<String> made) {
            made.add("java.lang.Object[]");
            return "java.lang.Object[]" + length + "[" + element.run(argument, made) + "]";
        }
    }

    private record Rows() implements Node {
        @Override
        public void write(MethodVisitor code) {
            code.visitInsn(ICONST_2);
            code.visitInsn(ICONST_3);
            code.visitMultiANewArrayInsn("[[I", 2);
        }

        @Override
        public String run(int argument, List<String> made) {
            made.add("int[][]");
            return "int[][]2";
        }
    }

    /** A branch with whatever is on the stack already, unfinished objects too. */
    private record Choice(int bit, Node yes, Node no) implements Node {
        @Override
        public void write(MethodVisitor code) {
            Label otherwise = new Label();
            Label end = new Label();
            code.visitVarInsn(ILOAD, 2);
            code.visitIntInsn(BIPUSH, bit);
            code.visitInsn(ISHR);
            code.visitInsn(ICONST_1);
            code.visitInsn(IAND);
            code.visitJumpInsn(IFEQ, otherwise);
            yes.write(code);
            code.visitJumpInsn(GOTO, end);
            code.visitLabel(otherwise);
            no.write(code);
            code.visitLabel(end);
        }

        @Override
        public String run(int argument, List<String> made) {
            return (argument >> bit & 1) != 0 ? yes.run(argument, made) : no.run(argument, made);
        }
    }

    private record Cloned(int length) implements Node {
        @Override
        public void write(MethodVisitor code) {
            code.visitInsn(ICONST_0 + length);
            code.visitIntInsn(NEWARRAY, T_LONG);
            code.visitMethodInsn(INVOKEVIRTUAL, "[J", "clone", "()Ljava/lang/Object;", false);
        }

        @Override
        public String run(int argument, List<String> made) {
            made.add("long[]");
            made.add("clone");
            return "long[]" + length;
        }
    }

    private record Dropped(Node dropped, Node kept) implements Node {
        @Override
        public void write(MethodVisitor code) {
            dropped.write(code);
            code.visitInsn(POP);
            kept.write(code);
        }

        @Override
        public String run(int argument, List<String> made) {
            dropped.run(argument, made);
            return kept.run(argument, made);
        }
    }

    private record Repeated(int times, Node body) implements Node {
        @Override
        public void write(MethodVisitor code) {
            Label again = new Label();
            code.visitInsn(ACONST_NULL);
            code.visitVarInsn(ASTORE, 3);
            code.visitInsn(ICONST_0);
            code.visitVarInsn(ISTORE, 4);
            code.visitLabel(again);
            body.write(code);
            code.visitVarInsn(ASTORE, 3);
            code.visitIincInsn(4, 1);
            code.visitVarInsn(ILOAD, 4);
            code.visitInsn(ICONST_0 + times);
            code.visitJumpInsn(IF_ICMPLT, again);
            code.visitVarInsn(ALOAD, 3);
        }

        @Override
        public String run(int argument, List<String> made) {
            String last = "null";
            for (int i = 0; i < times; i++) {
                last = body.run(argument, made);
            }
            return last;
        }
    }

    private record Caught(Node tried, Node after) implements Node {
        @Override
        public void write(MethodVisitor code) {
            Label start = new Label();
            Label end = new Label();
            Label handler = new Label();
            Label out = new Label();
            code.visitTryCatchBlock(start, end, handler, "java/lang/IllegalStateException");
            code.visitLabel(start);
            code.visitInsn(NOP);
            tried.write(code);
            code.visitLabel(end);
            code.visitJumpInsn(GOTO, out);
            code.visitLabel(handler);
            code.visitInsn(POP);
            after.write(code);
            code.visitLabel(out);
        }

        @Override
        public String run(int argument, List<String> made) {
            try {
                return tried.run(argument, made);
            } catch (Thrown expected) {
                return after.run(argument, made);
            }
        }
    }

    /** A constructor that throws, with what was made for nothing before. */
    private record Refuses(Node before) implements Node {
        @Override
        public void write(MethodVisitor code) {
            before.write(code);
            code.visitInsn(POP);
            code.visitTypeInsn(NEW, REFUSED);
            code.visitInsn(DUP);
            code.visitMethodInsn(INVOKESPECIAL, REFUSED, "<init>", "()V", false);
        }

        @Override
        public String run(int argument, List<String> made) {
            before.run(argument, made);
            throw new Thrown();
        }
    }
}
