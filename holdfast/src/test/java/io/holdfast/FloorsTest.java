package io.holdfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrows only point to a lower floor (docs/architecture.md), and floors that ship light stay light. */
class FloorsTest {
    private static final JavaClasses HOUSE = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.holdfast");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "io.holdfast.core      | org.slf4j..",
        "io.holdfast.liveness  | io.holdfast.core..,org.slf4j..,org.jctools..",
        "io.holdfast.refchains | io.holdfast.core..,org.slf4j..",
        "io.holdfast.scheduler | io.holdfast.core..,org.slf4j..,org.HdrHistogram..",
        "io.holdfast.agent     | io.holdfast.core..,org.slf4j..,org.objectweb.asm..",
        "io.holdfast.jfr       | io.holdfast.core..,org.slf4j..",
        "io.holdfast           | io.holdfast..,org.slf4j..,com.google.gson..",
    })
    void aFloorUsesOnlyWhatLiesBelowIt(String floor, String below) {
        String[] allowed = (floor + "," + below + ",java..,jdk.jfr..,javax.management..,com.sun.management..,com.sun.tools.attach..").split(",");
        classes().that().resideInAPackage(floor).should().onlyDependOnClassesThat().resideInAnyPackage(allowed).check(HOUSE);
    }

    @Test
    void nothingTouchesUnsafeDirectlyOrJctoolsQueuesThatDo() {
        noClasses().should().dependOnClassesThat().resideInAnyPackage("sun.misc..", "jdk.internal..").check(HOUSE);
        // the other JCTools queues initialise sun.misc.Unsafe, which prints a warning on JDK 24 and later
        classes().that().resideInAPackage("io.holdfast..").should().onlyDependOnClassesThat()
                .resideOutsideOfPackages("org.jctools.queues", "org.jctools.util", "org.jctools.maps").check(HOUSE);
    }

    @Test
    void onlyOneClassAsksTheSystemForTheTime() {
        noClasses().that().doNotHaveFullyQualifiedName("io.holdfast.core.Ticker$1").and().resideInAPackage("io.holdfast..")
                .and().resideOutsideOfPackage("io.holdfast.examples..")
                .should().callMethod(System.class, "nanoTime").orShould().callMethod(System.class, "currentTimeMillis")
                .orShould().callMethod(java.time.Instant.class, "now").check(HOUSE);
    }
}
