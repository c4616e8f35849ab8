package dev.stowage.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/**
 * All classes of all modules but those of tests and those that protoc generates, read once for a JVM: reading them
 * takes longer than most tests.
 */
final class OurClasses {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(place -> !place.contains("test-classes") && !place.contains("/service/v1/"))
            .importPackages("dev.stowage");

    private OurClasses() {}

    static JavaClasses all() {
        return ALL;
    }
}
