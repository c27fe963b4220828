package io.holdfast.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every instance of the watched classes that is made while a test runs must be gone afterwards: after the test and its {@code @AfterEach} methods, and
 * after collections that would have shown it. What only the test's own instance still holds is let pass, because it goes with it. On a class it
 * holds for each of its tests; an annotation on the method wins. A test that fails by itself is not checked.
 *
 * <p>With an agent the instances are heard of from their constructors, whoever runs them. Without one they are sought from static fields and threads
 * before and after the test: then instances that only a local variable of another thread or native code holds are not seen, and the test aborts
 * when another test that watches the same class runs beside it.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HoldfastExtension.class)
public @interface LeakCheck {
    /** Classes whose instances must be gone; subclasses are included. */
    Class<?>[] watch() default {};

    /** Whether an instance that only soft references hold is as good as gone. */
    boolean allowSoft() default false;
}
