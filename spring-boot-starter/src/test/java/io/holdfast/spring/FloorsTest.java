package io.holdfast.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The fourth floor stands on what Holdfast shows to users; and what moves between the lines of Boot stays in its corner. */
class FloorsTest {
    private static final JavaClasses STARTER = starter();

    /** Names are enough; Spring itself need not be read. */
    private static JavaClasses starter() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        try {
            return new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.holdfast.spring");
        } finally {
            ArchConfiguration.get().reset();
        }
    }

    @Test
    void theStarterUsesSpringAndWhatHoldfastShowsToUsers() {
        classes().that().resideInAPackage("io.holdfast.spring").should().onlyDependOnClassesThat().resideInAnyPackage("io.holdfast.spring", "io.holdfast",
                "io.holdfast.core", "io.holdfast.micrometer", "io.micrometer.core.instrument..", "org.springframework..", "org.slf4j", "java..").check(STARTER);
    }

    @Test
    void eachHealthApiIsUsedByItsOwnIndicatorOnly() {
        noClasses().that().doNotHaveSimpleName("ActuatorHealthIndicator").and().doNotHaveSimpleName("OfHealthInActuator")
                .should().dependOnClassesThat().resideInAPackage("org.springframework.boot.actuate.health..").check(STARTER);
        noClasses().that().doNotHaveSimpleName("ModuleHealthIndicator").and().doNotHaveSimpleName("OfHealthModule")
                .should().dependOnClassesThat().resideInAPackage("org.springframework.boot.health..").check(STARTER);
    }

    @Test
    void autoConfigurationsOfMetricsThatMovedAreNamedNotLinked() {
        noClasses().should().dependOnClassesThat()
                .resideInAnyPackage("org.springframework.boot.actuate.autoconfigure.metrics..", "org.springframework.boot.micrometer..").check(STARTER);
    }
}
