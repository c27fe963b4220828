package io.holdfast.refchains;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Fields as the VM tells them, types resolved. */
final class ReflectedFields implements FieldSource {
    private final VmInternals vm;

    ReflectedFields(VmInternals vm) {
        this.vm = vm;
    }

    @Override
    public List<DeclaredField> of(Class<?> type) {
        List<DeclaredField> found = new ArrayList<>();
        for (Field field : vm.declaredFields(type)) {
            boolean fixed = Modifier.isStatic(field.getModifiers());
            long offset = fixed ? vm.staticOffset(type, field) : vm.offset(field);
            if (offset != ClassPlan.NO_OFFSET) {
                boolean reference = !field.getType().isPrimitive();
                found.add(new DeclaredField(field.getName(), offset, fixed, field.getType().descriptorString().charAt(0), reference && !ShapeRules.leaf(field.getType())));
            }
        }
        return found;
    }
}
