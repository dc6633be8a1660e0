package dev.flotilla.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** Production classes that the rules check, without tests. */
final class ProductionClasses {

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // The quick build puts test classes where the option above does not look.
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.flotilla");

    private ProductionClasses() {}
}
