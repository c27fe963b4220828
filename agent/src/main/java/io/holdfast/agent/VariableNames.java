package io.holdfast.agent;

import io.holdfast.core.Counters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Names of local variables, from the {@code LocalVariableTable} of the class file. A method that carries a hook has other bytecode indices than its
 * class file, and a frame may still run the version from before: so an index counts only if a call stands there on the frame's line; else all calls
 * on that line are asked, and the name is known if they agree. Holdfast thread only.
 */
final class VariableNames {
    static final String UNREADABLE = "agent.stacks.class_files.unreadable";

    private final Function<Class<?>, byte[]> classFiles;
    private final Counters counters;

    /** @param classFiles finds the class file; null if it cannot */
    VariableNames(Function<Class<?>, byte[]> classFiles, Counters counters) {
        this.classFiles = classFiles;
        this.counters = counters;
    }

    /**
     * What the class file says.
     *
     * @param name       of the variable, or null
     * @param line       of the frame, or -1
     * @param sourceFile or null
     */
    record Found(String name, int line, String sourceFile) {
        static final Found NOTHING = new Found(null, -1, null);
    }

    /**
     * Reads the class file each time: some milliseconds.
     *
     * @param line the frame's line as the VM tells it; -1 for a frame that runs the version of its method from before a hook was set: its index is
     *             that of the class file
     */
    Found find(Class<?> owner, String method, String descriptor, int slot, int index, int line) {
        try {
            byte[] classFile = classFiles.apply(owner);
            if (classFile == null) {
                counters.increment(UNREADABLE);
                return Found.NOTHING;
            }
            IndexedClassReader reader = new IndexedClassReader(classFile);
            Code code = new Code(reader, slot);
            String[] sourceFile = new String[1];
            reader.accept(new ClassVisitor(Opcodes.ASM9) {
                @Override
                public void visitSource(String source, String debug) {
                    sourceFile[0] = source;
                }

                @Override
                public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
                    return name.equals(method) && type.equals(descriptor) ? code : null;
                }
            }, ClassReader.SKIP_FRAMES);
            int found = line >= 0 ? line : code.lineOfCall.getOrDefault(index, -1);
            return new Found(code.name(index, found), found, sourceFile[0]);
        } catch (RuntimeException | LinkageError unreadable) {
            counters.increment(UNREADABLE);
            return Found.NOTHING;
        }
    }

    /** The variables of one slot, and where calls stand. */
    private static final class Code extends MethodVisitor {
        private final IndexedClassReader reader;
        private final int slot;
        private final Map<Label, Integer> labels = new HashMap<>();
        private final List<Range> ranges = new ArrayList<>();
        private final Map<Integer, Integer> lineOfCall = new HashMap<>();
        private final Map<Integer, Integer> lineOfStart = new HashMap<>();
        private int line = -1;

        private record Range(String name, int from, int to) { }

        Code(IndexedClassReader reader, int slot) {
            super(Opcodes.ASM9);
            this.reader = reader;
            this.slot = slot;
        }

        @Override
        public void visitLabel(Label label) {
            labels.put(label, reader.index());
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            lineOfStart.put(labels.get(start), number);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            lineOfCall.put(reader.index(), line);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            lineOfCall.put(reader.index(), line);
        }

        @Override
        public void visitLocalVariable(String name, String descriptor, String signature, Label start, Label end, int index) {
            if (index == slot) {
                ranges.add(new Range(name, labels.get(start), labels.get(end)));
            }
        }

        String name(int index, int frameLine) {
            Set<Integer> places = new HashSet<>();
            // Where the class has no lines, all calls are on line -1, and only the index counts.
            if (lineOfCall.containsKey(index) && lineOfCall.get(index) == frameLine) {
                places.add(index);
            } else if (frameLine >= 0) {
                lineOfCall.forEach((call, ofLine) -> {
                    if (ofLine == frameLine) {
                        places.add(call);
                    }
                });
                if (places.isEmpty()) {
                    lineOfStart.forEach((start, ofLine) -> {
                        if (ofLine == frameLine) {
                            places.add(start);
                        }
                    });
                }
            }
            Set<String> names = new HashSet<>();
            for (int place : places) {
                for (Range range : ranges) {
                    if (range.from() <= place && place < range.to()) {
                        names.add(range.name());
                    }
                }
            }
            return names.size() == 1 ? names.iterator().next() : null;
        }
    }
}
