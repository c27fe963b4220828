package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class AllocatingFrameTest {
    private static final Frame APPLICATION = java("com.acme.Login", "login", 42);

    @Example
    void theTopFrameOwnsAnOrdinaryAllocation() {
        assertThat(find(java("java.util.ArrayList", "grow", 7), APPLICATION)).hasValue(java("java.util.ArrayList", "grow", 7));
    }

    @Example
    void cloneAndReflectiveArraysBelongToTheirCaller() {
        assertThat(find(native_("java.lang.Object", "clone"), APPLICATION)).hasValue(APPLICATION);
        Frame newInstance = java("java.lang.reflect.Array", "newInstance", 2);
        assertThat(find(native_("java.lang.reflect.Array", "newArray"), newInstance, APPLICATION)).hasValue(newInstance);
        assertThat(find(native_("java.lang.Object", "clone"))).isEmpty();
    }

    @Example
    void allOtherNativeAllocationBelongsToNobody() {
        assertThat(find(native_("java.lang.Throwable", "fillInStackTrace"), APPLICATION)).isEmpty();
        assertThat(find(native_("java.lang.ClassLoader", "defineClass1"), APPLICATION)).isEmpty();
        assertThat(find(native_("java.lang.Class", "getDeclaredFields0"), APPLICATION)).isEmpty();
    }

    @Example
    void aCapturedLambdaBelongsToItsInvokedynamic() {
        assertThat(find(native_("jdk.internal.misc.Unsafe", "allocateInstance"), java("java.lang.invoke.DirectMethodHandle", "allocateInstance", 12),
                hidden("java.lang.invoke.LambdaForm$DMH/0x0000000800c0a000", "newInvokeSpecial"),
                hidden("java.lang.invoke.LambdaForm$MH+0x0000000800c0b000", "linkToTargetMethod"), APPLICATION)).hasValue(APPLICATION);
        assertThat(find(java("java.lang.invoke.LambdaForm$DMH.0x0000000800c0a000", "newInvokeSpecial", 1), APPLICATION)).hasValue(APPLICATION);
    }

    @Example
    void aReflectiveConstructionBelongsToTheCallOfNewInstance() {
        assertThat(find(native_("jdk.internal.reflect.NativeConstructorAccessorImpl", "newInstance0"),
                java("jdk.internal.reflect.NativeConstructorAccessorImpl", "newInstance", 72),
                java("jdk.internal.reflect.DelegatingConstructorAccessorImpl", "newInstance", 5),
                java("java.lang.reflect.Constructor", "newInstanceWithCaller", 31), java("java.lang.reflect.Constructor", "newInstance", 6), APPLICATION))
                .hasValue(APPLICATION);
        assertThat(find(java("jdk.internal.reflect.GeneratedConstructorAccessor7", "newInstance", 2),
                java("java.lang.reflect.Constructor", "newInstance", 6), APPLICATION)).hasValue(APPLICATION);
    }

    @Example
    void whatReflectionAllocatesForItselfStaysThere() {
        Frame copy = java("java.lang.reflect.Constructor", "copy", 3);
        assertThat(find(copy, APPLICATION)).hasValue(copy);
    }

    @Example
    void aFrameWithoutInstructionIsNoSite() {
        assertThat(find(java("com.acme.Login", "login", -1))).isEmpty();
        assertThat(find()).isEmpty();
        assertThat(find(hidden("com.acme.Login$$Lambda/0x1", "get"))).isEmpty();
    }

    @Property(tries = 500)
    void neverNamesAHiddenNativeOrReflectiveFrame(@ForAll @Size(max = 40) List<@net.jqwik.api.From("frames") Frame> stack) {
        int[] deepest = {-1};
        Optional<Frame> found = AllocatingFrame.find(stack.size(), i -> {
            deepest[0] = Math.max(deepest[0], i);
            return stack.get(i);
        });
        found.ifPresent(frame -> {
            assertThat(frame.nativeMethod() || frame.hidden()).isFalse();
            assertThat(frame.bytecodeIndex()).isNotNegative();
            int position = stack.indexOf(frame);
            // Everything above the site is machinery, never a plain frame of somebody else.
            assertThat(stack.subList(0, position)).noneMatch(APPLICATION::equals);
        });
        assertThat(deepest[0]).isLessThan(AllocatingFrame.MAX_FRAMES);
    }

    @Provide
    Arbitrary<Frame> frames() {
        return Arbitraries.of(APPLICATION, native_("java.lang.Object", "clone"), native_("jdk.internal.misc.Unsafe", "allocateInstance"),
                native_("java.lang.Throwable", "fillInStackTrace"), java("java.lang.invoke.DirectMethodHandle", "allocateInstance", 12),
                hidden("java.lang.invoke.LambdaForm$MH/0x1", "invoke"), java("java.lang.reflect.Constructor", "newInstance", 6),
                java("jdk.internal.reflect.GeneratedConstructorAccessor1", "newInstance", 2), java("com.acme.Other", "make", -1));
    }

    private static Optional<Frame> find(Frame... stack) {
        List<Frame> frames = new ArrayList<>(List.of(stack));
        return AllocatingFrame.find(frames.size(), frames::get);
    }

    private static Frame java(String className, String methodName, int bytecodeIndex) {
        return new Frame(className, methodName, "()V", bytecodeIndex, 1, false, false);
    }

    private static Frame native_(String className, String methodName) {
        return new Frame(className, methodName, "()V", -1, -1, true, false);
    }

    private static Frame hidden(String className, String methodName) {
        return new Frame(className, methodName, "()V", 3, 1, false, true);
    }
}
