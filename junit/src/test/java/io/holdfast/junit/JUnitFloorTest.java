package io.holdfast.junit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What this module may use (docs/architecture.md), and that it asks nobody but the ticker for the time. */
class JUnitFloorTest {
    private static final JavaClasses MODULE =
            new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.holdfast.junit");

    @Test
    void usesOnlyWhatLiesBelowIt() {
        classes().that().resideInAPackage("io.holdfast.junit").should().onlyDependOnClassesThat().resideInAnyPackage("io.holdfast..", "org.slf4j..",
                "com.google.gson..", "org.junit.jupiter.api..", "org.junit.platform.commons.support..", "org.junit.platform.launcher..", "org.junit.platform.engine..",
                "org.opentest4j..", "java..", "javax.management..", "com.sun.management..").check(MODULE);
    }

    @Test
    void timeComesFromTheTicker() {
        noClasses().should().callMethod(System.class, "nanoTime").orShould().callMethod(System.class, "currentTimeMillis")
                .orShould().callMethod(java.time.Instant.class, "now").orShould().callMethod(Thread.class, "sleep", long.class).check(MODULE);
    }
}
