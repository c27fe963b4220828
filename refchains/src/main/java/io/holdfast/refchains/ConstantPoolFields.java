package io.holdfast.refchains;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/*
 * The VM tells the fields of a class only with their types resolved, and to resolve a type it calls loadClass of the loader: measured, a class with
 * three fields made three such calls. A web application's loader runs its own code there, takes its own locks, and logs an error when it has been
 * stopped. So classes of such loaders are read in another way. Name and type of every declared field are among the text entries of the constant
 * pool, which can be read without side effects. Which texts are names of fields tells Unsafe, which finds a field by its name; what type belongs to a
 * name tells the resolution of a MemberName, which takes the type as text. Neither loads anything. Measured over 3 036 classes of libraries: all
 * 1 580 fields found where the VM itself had to load types, and 136 classes readable of which the VM gave nothing because a type was missing. Price:
 * about 0.05 ms per class and 0.3 ms where types are not loaded (the VM throws an error for each text that is not a field).
 */

/**
 * Finds fields without loading their types. Of several fields of one name and different types, as obfuscators make them, those are found that the
 * class itself uses. Not thread-safe.
 */
final class ConstantPoolFields implements FieldSource {
    /** Names tried per class; a generated class with more is refused. Bounds the time of one plan to some ten milliseconds. */
    static final int MAX_NAMES = 4_096;

    private static final byte UTF8 = 1;
    private static final byte FIELD_REFERENCE = 9;
    /** Flags of a MemberName that asks for a field to be read. */
    private static final int IS_FIELD = 0x0004_0000 | 1 << 24;
    private static final int STATIC = 0x0008;
    private static final int ANY_CALLER = -1;

    private final VmInternals vm;
    private final MethodHandle constantPool;
    private final MethodHandle size;
    private final MethodHandle tag;
    private final MethodHandle text;
    private final MethodHandle memberReference;
    private final MethodHandle newMember;
    private final MethodHandle setClass;
    private final MethodHandle setName;
    private final MethodHandle setType;
    private final MethodHandle setFlags;
    private final MethodHandle resolve;
    private final MethodHandle declaringClass;
    private final MethodHandle flags;
    private final MethodHandle instanceOffset;
    private final MethodHandle staticOffset;
    private final MethodHandle staticBase;

    /** Throws when this JDK lacks one of the methods. */
    ConstantPoolFields(VmInternals vm, MethodHandles.Lookup trusted) throws ReflectiveOperationException {
        this.vm = vm;
        Class<?> pool = Class.forName("jdk.internal.reflect.ConstantPool");
        constantPool = erased(trusted.findVirtual(Class.class, "getConstantPool", MethodType.methodType(pool)));
        size = erased(trusted.findVirtual(pool, "getSize0", MethodType.methodType(int.class, Object.class)));
        tag = erased(trusted.findVirtual(pool, "getTagAt0", MethodType.methodType(byte.class, Object.class, int.class)));
        text = erased(trusted.findVirtual(pool, "getUTF8At0", MethodType.methodType(String.class, Object.class, int.class)));
        memberReference = erased(trusted.findVirtual(pool, "getMemberRefInfoAt0", MethodType.methodType(String[].class, Object.class, int.class)));
        Class<?> member = Class.forName("java.lang.invoke.MemberName");
        newMember = erased(trusted.findConstructor(member, MethodType.methodType(void.class)));
        setClass = erased(trusted.findSetter(member, "clazz", Class.class));
        setName = erased(trusted.findSetter(member, "name", String.class));
        setType = erased(trusted.findSetter(member, "type", Object.class));
        setFlags = erased(trusted.findSetter(member, "flags", int.class));
        declaringClass = erased(trusted.findGetter(member, "clazz", Class.class));
        flags = erased(trusted.findGetter(member, "flags", int.class));
        Class<?> natives = Class.forName("java.lang.invoke.MethodHandleNatives");
        resolve = erased(trusted.findStatic(natives, "resolve", MethodType.methodType(member, member, Class.class, int.class, boolean.class)));
        instanceOffset = erased(trusted.findStatic(natives, "objectFieldOffset", MethodType.methodType(long.class, member)));
        staticOffset = erased(trusted.findStatic(natives, "staticFieldOffset", MethodType.methodType(long.class, member)));
        staticBase = erased(trusted.findStatic(natives, "staticFieldBase", MethodType.methodType(Object.class, member)));
    }

    /** With {@code Object} in place of the types that cannot be named here. */
    private static MethodHandle erased(MethodHandle handle) {
        return handle.asType(handle.type().erase());
    }

    /** What the constant pool of a class tells. */
    private record Texts(List<String> all, Map<String, Set<String>> typesByUsedName) { }

    /** Whether reading the fields by reflection would load nothing: the loader has met every type that a field of the class could have. */
    boolean typesLoaded(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        for (String text : texts(type).all()) {
            if (isReferenceType(text) && text.endsWith(";") && vm.find(loader, className(text)) == null) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<DeclaredField> of(Class<?> type) {
        Texts texts = texts(type);
        Set<String> names = new LinkedHashSet<>();
        Set<String> types = new LinkedHashSet<>();
        for (String text : texts.all()) {
            if (isFieldType(text)) {
                types.add(text);
            }
            if (isName(text)) {
                names.add(text);
            }
        }
        if (names.size() > MAX_NAMES) {
            throw new IllegalStateException("too many names");
        }
        List<DeclaredField> found = new ArrayList<>();
        for (String name : names) {
            if (vm.offset(type, name) != ClassPlan.NO_OFFSET) {
                addFields(type, name, texts.typesByUsedName().getOrDefault(name, Set.of()), types, found);
            }
        }
        return found;
    }

    /** First all types with which the class uses that name; only if none of them fits, all there are until one does. */
    private void addFields(Class<?> type, String name, Set<String> likely, Set<String> possible, List<DeclaredField> found) {
        boolean fits = false;
        for (String candidate : likely) {
            fits |= addField(type, name, candidate, found);
        }
        if (!fits) {
            for (String candidate : possible) {
                if (addField(type, name, candidate, found)) {
                    return;
                }
            }
        }
    }

    /** Adds the field if the class declares it. Returns whether it does. */
    private boolean addField(Class<?> type, String name, String fieldType, List<DeclaredField> found) {
        try {
            Object wanted = (Object) newMember.invokeExact();
            setClass.invokeExact(wanted, (Object) type);
            setName.invokeExact(wanted, (Object) name);
            setType.invokeExact(wanted, (Object) fieldType);
            setFlags.invokeExact(wanted, IS_FIELD);
            Object member = (Object) resolve.invokeExact(wanted, (Object) null, ANY_CALLER, true);
            if (member == null || (Object) declaringClass.invokeExact(member) != type) {
                return false;
            }
            boolean fixed = ((int) flags.invokeExact(member) & STATIC) != 0;
            if (!fixed || (Object) staticBase.invokeExact(member) == type) {
                long offset = fixed ? (long) staticOffset.invokeExact(member) : (long) instanceOffset.invokeExact(member);
                boolean reference = isReferenceType(fieldType);
                found.add(new DeclaredField(name, offset, fixed, fieldType.charAt(0), reference && leads(type.getClassLoader(), fieldType)));
            }
            return true;
        } catch (LinkageError doesNotFit) {
            return false;
        } catch (Throwable failed) {
            throw VmInternals.unexpected(failed);
        }
    }

    private boolean leads(ClassLoader loader, String fieldType) {
        if (!fieldType.endsWith(";")) {
            return fieldType.startsWith("[[");
        }
        Class<?> known = fieldType.startsWith("[") ? null : vm.find(loader, className(fieldType));
        return known == null ? !fieldType.equals("Ljava/lang/String;") : !ShapeRules.leaf(known);
    }

    private Texts texts(Class<?> type) {
        List<String> all = new ArrayList<>();
        Map<String, Set<String>> typesByUsedName = new LinkedHashMap<>();
        try {
            Object pool = (Object) constantPool.invokeExact((Object) type);
            int count = pool == null ? 0 : (int) size.invokeExact(pool, (Object) type);
            for (int i = 1; i < count; i++) {
                byte kind = (byte) tag.invokeExact(pool, (Object) type, i);
                if (kind == UTF8) {
                    all.add((String) (Object) text.invokeExact(pool, (Object) type, i));
                } else if (kind == FIELD_REFERENCE) {
                    // class, name, type
                    String[] used = (String[]) (Object) memberReference.invokeExact(pool, (Object) type, i);
                    typesByUsedName.computeIfAbsent(used[1], name -> new LinkedHashSet<>()).add(used[2]);
                }
            }
        } catch (Throwable failed) {
            throw VmInternals.unexpected(failed);
        }
        return new Texts(all, typesByUsedName);
    }

    static boolean isFieldType(String text) {
        return isReferenceType(text) || text.length() == 1 && "ZBCSIJFD".indexOf(text.charAt(0)) >= 0;
    }

    static boolean isReferenceType(String text) {
        int dimensions = 0;
        while (dimensions < text.length() && text.charAt(dimensions) == '[') {
            dimensions++;
        }
        int left = text.length() - dimensions;
        if (left == 1) {
            return dimensions > 0 && "ZBCSIJFD".indexOf(text.charAt(dimensions)) >= 0;
        }
        // the last semicolon is the only one, and generic signatures are no types of fields
        return left > 2 && text.charAt(dimensions) == 'L' && text.indexOf(';') == text.length() - 1 && text.indexOf('<') < 0;
    }

    /** Of {@code [Lcom/acme/Session;}: {@code com.acme.Session}. */
    private static String className(String referenceType) {
        return referenceType.substring(referenceType.indexOf('L') + 1, referenceType.length() - 1).replace('/', '.');
    }

    private static boolean isName(String text) {
        if (text.isEmpty() || !Character.isJavaIdentifierStart(text.charAt(0))) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            if (!Character.isJavaIdentifierPart(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
