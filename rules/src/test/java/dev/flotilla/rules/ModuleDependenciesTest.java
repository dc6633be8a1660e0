package dev.flotilla.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which module may use which, as one table. Modules that do not exist yet are in it, so that a new module is born with
 * its borders.
 */
class ModuleDependenciesTest {

    /** Each module names what it may use, and why no more. A module is declared after everything that it uses. */
    enum Module {
        SCHEMAS("the contract on the wire must not follow from how one side implements it"),
        CORE("decisions that can be replayed anywhere need nothing but the rows", SCHEMAS),
        RUNTIME("what all applications share knows none of them", SCHEMAS, CORE),
        KUBE("whoever speaks to API servers does it by this, and it knows none of them", SCHEMAS),
        ORCHESTRATOR("applications share tables, not classes", SCHEMAS, CORE, RUNTIME),
        NODEWORKER("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KUBE),
        MANAGEMENTWATCHER("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KUBE),
        AUDITOR("whoever checks the others must not share their mistakes"),
        SIMULATOR("the virtual world plays the core alone, so that what it finds is the core's", SCHEMAS, CORE),
        TESTKIT("what tests share must not need an application", SCHEMAS, CORE, KUBE, SIMULATOR),
        CLI(
                "the entry point stands on top, and the auditor runs on a class path of its own",
                SCHEMAS,
                CORE,
                RUNTIME,
                KUBE,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                SIMULATOR,
                TESTKIT),
        BENCH(
                "benchmarks may measure everything, and nothing may depend on being measured",
                SCHEMAS,
                CORE,
                RUNTIME,
                KUBE,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                AUDITOR,
                SIMULATOR,
                TESTKIT,
                CLI),
        E2E(
                "whole processes are tested with whatever there is, and nothing is built on tests",
                SCHEMAS,
                CORE,
                RUNTIME,
                KUBE,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                AUDITOR,
                SIMULATOR,
                TESTKIT,
                CLI,
                BENCH),
        RULES("the rules look at all modules from outside");

        private final String reason;
        private final List<Module> mayUse;

        Module(String reason, Module... mayUse) {
            this.reason = reason;
            this.mayUse = List.of(mayUse);
        }

        String packages() {
            return packageName() + "..";
        }

        String packageName() {
            return "dev.flotilla." + name().toLowerCase(Locale.ROOT);
        }

        String[] forbidden() {
            return Stream.of(values())
                    .filter(other -> other != this && !mayUse.contains(other))
                    .map(Module::packages)
                    .toArray(String[]::new);
        }
    }

    @ParameterizedTest
    @EnumSource
    void usesOnlyTheModulesBelowIt(Module module) {
        noClasses()
                .that()
                .resideInAPackage(module.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(module.forbidden())
                .because(module.reason)
                .allowEmptyShould(true)
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void everyClassBelongsToAModule() {
        classes()
                .should()
                .resideInAnyPackage(
                        Stream.of(Module.values()).map(Module::packages).toArray(String[]::new))
                .because("a class outside the table of modules has no borders")
                .check(ProductionClasses.CLASSES);
    }

    /** A directory is named `node-worker` where its package is `nodeworker`. */
    @Test
    void everyModuleOfTheBuildIsInTheTable() {
        assertThat(SourceTree.modules())
                .as("modules of the build, each with its borders in the table")
                .allSatisfy(module -> assertThat(Module.values())
                        .extracting(Module::packageName)
                        .contains("dev.flotilla." + module.replace("-", "")));
    }

    @Test
    void kafkaIsImportedInFewPlaces() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.flotilla.runtime.kafka..",
                        Module.AUDITOR.packages(),
                        Module.TESTKIT.packages(),
                        Module.BENCH.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "io.vertx.kafka..")
                .because(
                        "the client's traps (threads, revocation, fencing) are handled once, in one package of runtime")
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void theOrchestratorHoldsNoCredentialsOfAnApiServer() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        Module.SCHEMAS.packages(),
                        Module.CORE.packages(),
                        Module.RUNTIME.packages(),
                        Module.ORCHESTRATOR.packages())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fabric8..")
                .because("a decision for the fleet must neither wait for a cluster nor be able to change one")
                .check(ProductionClasses.CLASSES);
    }
}
