package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.*;

import io.holdfast.agent.AllocationInstruction.Kind;
import io.holdfast.core.ClassNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Finds the allocating instructions of chosen methods.
 *
 * <p>A {@code new} is complete after the call of the constructor that belongs to it. Constructor calls nest, and compilers write them in order,
 * so a stack of open {@code new}s in linear order tells which is which: a constructor call whose owner is the class of the innermost open
 * {@code new} completes it; any other is {@code this(…)} or {@code super(…)}. The finished reference is then on top of the stack if, and only if,
 * {@code new} was followed by {@code dup}.
 */
final class AllocationScan extends ClassVisitor {
    /** A method that grows longer could need wide jumps once hooks are inserted, and then indices would move in a way that is not followed. */
    static final int MAX_CODE_LENGTH = 32_000;

    private static final Set<String> ALLOCATING_CALLS = Set.of("clone", "copyOf", "copyOfRange", "newInstance", "newArray", "multiNewArray", "allocateInstance",
            "allocateUninitializedArray", "allocateUninitializedArray0");

    private final IndexedClassReader reader;
    private final Set<String> methods;
    private final Map<String, ScannedMethod> found = new HashMap<>();
    private String sourceFile;

    private AllocationScan(IndexedClassReader reader, Set<String> methods) {
        super(ASM9);
        this.reader = reader;
        this.methods = methods;
    }

    /** What was found, by {@link #key}. Methods that do not exist, or have no code, are absent. */
    record Result(String sourceFile, Map<String, ScannedMethod> methods) { }

    /**
     * @param instructions in order
     * @param codeLength   index of the last instruction
     */
    record ScannedMethod(List<AllocationInstruction> instructions, int codeLength) { }

    /** @param methods keys of the methods to look at; null = all */
    static Result of(IndexedClassReader reader, Set<String> methods) {
        AllocationScan scan = new AllocationScan(reader, methods);
        reader.accept(scan, ClassReader.SKIP_FRAMES);
        return new Result(scan.sourceFile, scan.found);
    }

    static String key(String method, String descriptor) {
        return method + descriptor;
    }

    /** Whether a call of that name is one that compilers replace by an allocation. */
    static boolean allocates(String calledMethod, String descriptor) {
        return ALLOCATING_CALLS.contains(calledMethod) && reference(descriptor);
    }

    static boolean reference(String descriptor) {
        int sort = Type.getReturnType(descriptor).getSort();
        return sort == Type.OBJECT || sort == Type.ARRAY;
    }

    @Override
    public void visitSource(String source, String debug) {
        sourceFile = source;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        String key = key(name, descriptor);
        return methods == null || methods.contains(key) ? new CodeScan(key) : null;
    }

    private final class CodeScan extends MethodVisitor {
        private final String key;
        private final List<AllocationInstruction> instructions = new ArrayList<>();
        private final Deque<Open> open = new ArrayDeque<>();
        private int line = -1;
        private Open awaitingDup;

        CodeScan(String key) {
            super(ASM9);
            this.key = key;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == DUP && awaitingDup != null) {
                awaitingDup.duplicated = true;
            }
            awaitingDup = null;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            awaitingDup = null;
            if (opcode == NEW) {
                Open opened = new Open(instructions.size(), type);
                instructions.add(new AllocationInstruction(reader.index(), AllocationInstruction.NEVER, Kind.EXACT, type.replace('/', '.'), line, true));
                open.push(opened);
                awaitingDup = opened;
            } else if (opcode == ANEWARRAY) {
                here(Kind.EXACT, ClassNames.fromDescriptor(type) + "[]", true);
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            awaitingDup = null;
            if (opcode == NEWARRAY) {
                here(Kind.EXACT, primitive(operand) + "[]", true);
            }
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            awaitingDup = null;
            here(Kind.NESTED_ARRAYS, ClassNames.fromDescriptor(descriptor), true);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            awaitingDup = null;
            if (opcode == INVOKESPECIAL && name.equals("<init>")) {
                if (!open.isEmpty() && open.peek().type.equals(owner)) {
                    Open opened = open.pop();
                    if (opened.duplicated) {
                        AllocationInstruction made = instructions.get(opened.position);
                        instructions.set(opened.position,
                                new AllocationInstruction(made.index(), reader.index(), made.kind(), made.type(), made.line(), true));
                    }
                }
            } else if (allocates(name, descriptor)) {
                here(Kind.CALL, "", AlwaysNew.call(opcode, owner, name, descriptor));
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            awaitingDup = null;
            if (reference(descriptor)) {
                here(Kind.CAPTURE, "", AlwaysNew.capture(descriptor, bootstrap));
            }
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            awaitingDup = null;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            awaitingDup = null;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            awaitingDup = null;
        }

        @Override
        public void visitLabel(Label label) {
            // Something may jump between new and dup in code that no compiler writes; then the reference is not where it is expected.
            awaitingDup = null;
        }

        @Override
        public void visitLdcInsn(Object value) {
            awaitingDup = null;
        }

        @Override
        public void visitEnd() {
            found.put(key, new ScannedMethod(List.copyOf(instructions), reader.index()));
        }

        private void here(Kind kind, String type, boolean alwaysNew) {
            instructions.add(new AllocationInstruction(reader.index(), reader.index(), kind, type, line, alwaysNew));
        }
    }

    private static final class Open {
        final int position;
        final String type;
        boolean duplicated;

        Open(int position, String type) {
            this.position = position;
            this.type = type;
        }
    }

    private static String primitive(int operand) {
        return switch (operand) {
            case T_BOOLEAN -> "boolean";
            case T_CHAR -> "char";
            case T_FLOAT -> "float";
            case T_DOUBLE -> "double";
            case T_BYTE -> "byte";
            case T_SHORT -> "short";
            case T_INT -> "int";
            default -> "long";
        };
    }
}
