package dev.flotilla.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes the rules are held against: all of ours that run in production, none of the tests. */
final class ProductionClasses {

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // The quick build has its test classes where the option above does not look for them.
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.flotilla");

    private ProductionClasses() {}
}
