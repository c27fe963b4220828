package io.holdfast.micrometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The fourth floor stands on what Holdfast shows to users. */
class FloorsTest {
    @Test
    void metersUseMicrometerAndWhatHoldfastShowsToUsers() {
        classes().that().resideInAPackage("io.holdfast.micrometer").should().onlyDependOnClassesThat()
                .resideInAnyPackage("io.holdfast.micrometer", "io.holdfast", "io.holdfast.core", "io.micrometer.core.instrument..", "java..")
                .check(new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.holdfast.micrometer"));
    }
}
