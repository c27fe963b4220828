package io.holdfast.agent;

import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;

import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;

/**
 * Calls that make a new object each time they return one, where no instruction of the callee can be seen making it: it is native, replaced by the compiler,
 * or in a class that carries no hooks. Only these may be counted at the call: of any other the callee's own instruction is counted already.
 */
final class AlwaysNew {
    private static final String ARRAYS = "java/util/Arrays";
    private static final String UNSAFE = "jdk/internal/misc/Unsafe";
    /** Copies of arrays of references, which the compiler replaces whole; the method itself carries no hook. */
    private static final Set<String> COPIES = Set.of("copyOf([Ljava/lang/Object;ILjava/lang/Class;)[Ljava/lang/Object;",
            "copyOfRange([Ljava/lang/Object;IILjava/lang/Class;)[Ljava/lang/Object;");

    private AlwaysNew() { }

    static boolean call(int opcode, String owner, String name, String descriptor) {
        return switch (name) {
            case "clone" -> (opcode == INVOKESPECIAL && owner.equals("java/lang/Object")) || (opcode == INVOKEVIRTUAL && owner.startsWith("["));
            case "copyOf", "copyOfRange" -> owner.equals(ARRAYS) && COPIES.contains(name + descriptor);
            case "newArray", "multiNewArray" -> owner.equals("java/lang/reflect/Array");
            // What the constructor's accessor makes: generated, hidden or native code behind it, whatever the release.
            case "newInstance" -> owner.equals("jdk/internal/reflect/ConstructorAccessor");
            case "allocateUninitializedArray" -> owner.equals(UNSAFE);
            default -> false;
        };
    }

    /** A lambda or method reference that captures; one that does not is made once. */
    static boolean capture(String descriptor, Handle bootstrap) {
        return bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory") && Type.getArgumentTypes(descriptor).length > 0;
    }

    /** A method whose calls are counted, so that its own instructions must not be. */
    static boolean countedByItsCallers(String internalName, String methodKey) {
        return internalName.equals(ARRAYS) && COPIES.contains(methodKey);
    }
}
