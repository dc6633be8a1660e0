package dev.flotilla.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Table of which module may use which other modules.
 */
class ModuleDependenciesTest {

    /** Each module lists what it may use, with the reason. A module is declared after the modules that it uses. */
    enum Module {
        LOGGING("the log's backend must not depend on what logs"),
        SCHEMAS("the wire contract must not depend on how one side implements it"),
        CORE("decisions that can be replayed anywhere need nothing but the rows", SCHEMAS),
        RUNTIME("shared code must not depend on an application", LOGGING, SCHEMAS, CORE),
        KAFKA("the code on the Kafka client must not depend on an application", SCHEMAS, RUNTIME),
        KUBE("the Kubernetes client must not depend on an application", SCHEMAS),
        TRACING("the export of spans must not depend on an application", SCHEMAS, RUNTIME),
        ORCHESTRATOR("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KAFKA, TRACING),
        NODEWORKER("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KAFKA, KUBE, TRACING),
        MANAGEMENTWATCHER("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KAFKA, KUBE, TRACING),
        NODEUPGRADER(
                "the node-upgrader's state is in Kubernetes objects: neither tables nor decisions",
                SCHEMAS,
                RUNTIME,
                KUBE),
        CLUSTERAPI(
                "the extension's state is in Kubernetes objects, and it decides nothing", SCHEMAS, CORE, RUNTIME, KUBE),
        CAMPAIGNCONTROLLER("applications share tables, not classes", SCHEMAS, CORE, RUNTIME, KAFKA, KUBE),
        AUDITOR("the auditor must not share bugs with the code that it audits"),
        SIMULATOR("the simulated world runs the core alone, so that every violation is the core's", SCHEMAS, CORE),
        TESTKIT("shared test code must not depend on an application", SCHEMAS, CORE, KUBE, SIMULATOR),
        CLI(
                "the entry point may use everything except the auditor, which runs on its own class path",
                LOGGING,
                SCHEMAS,
                CORE,
                RUNTIME,
                KAFKA,
                KUBE,
                TRACING,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                NODEUPGRADER,
                CLUSTERAPI,
                CAMPAIGNCONTROLLER,
                SIMULATOR,
                TESTKIT),
        BENCH(
                "benchmarks may measure everything, and nothing may depend on them",
                LOGGING,
                SCHEMAS,
                CORE,
                RUNTIME,
                KAFKA,
                KUBE,
                TRACING,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                NODEUPGRADER,
                CLUSTERAPI,
                CAMPAIGNCONTROLLER,
                AUDITOR,
                SIMULATOR,
                TESTKIT,
                CLI),
        E2E(
                "tests of whole processes may use everything, and nothing may depend on tests",
                LOGGING,
                SCHEMAS,
                CORE,
                RUNTIME,
                KAFKA,
                KUBE,
                TRACING,
                ORCHESTRATOR,
                NODEWORKER,
                MANAGEMENTWATCHER,
                NODEUPGRADER,
                CLUSTERAPI,
                CAMPAIGNCONTROLLER,
                AUDITOR,
                SIMULATOR,
                TESTKIT,
                CLI,
                BENCH),
        RULES("the rules check all modules from outside");

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

        boolean mayUse(String module) {
            return mayUse.stream()
                    .anyMatch(other -> other.packageName().equals("dev.flotilla." + module.replace("-", "")));
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
    void moduleUsesOnlyAllowedModules(Module module) {
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
                .because("a class outside the table has no allowed dependencies")
                .check(ProductionClasses.CLASSES);
    }

    /** A directory such as `node-worker` has the package `nodeworker`. */
    @Test
    void everyModuleIsInTheTable() {
        assertThat(SourceTree.modules())
                .as("modules of the build, each in the table")
                .allSatisfy(module -> assertThat(Module.values())
                        .extracting(Module::packageName)
                        .contains("dev.flotilla." + module.replace("-", "")));
    }

    @Test
    void onlyFewPackagesImportKafka() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.flotilla.kafka..",
                        Module.AUDITOR.packages(),
                        Module.TESTKIT.packages(),
                        Module.BENCH.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.kafka..", "io.vertx.kafka..")
                .because("the client's pitfalls (threads, revocation, fencing) are handled once, in one module")
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void onlyOneModuleImportsOpenTelemetry() {
        noClasses()
                .that()
                .resideOutsideOfPackage(Module.TRACING.packages())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.opentelemetry..")
                .because("a decision or an upgrade must not know whether it is traced")
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void orchestratorHasNoKubernetesClient() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        Module.SCHEMAS.packages(),
                        Module.CORE.packages(),
                        Module.RUNTIME.packages(),
                        Module.KAFKA.packages(),
                        Module.ORCHESTRATOR.packages())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fabric8..")
                .because("a decision must neither wait for a cluster nor be able to change one")
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void nodeUpgraderAndExtensionNeedNoKafka() {
        noClasses()
                .that()
                .resideInAnyPackage(Module.NODEUPGRADER.packages(), Module.CLUSTERAPI.packages())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.flotilla.kafka..", "org.apache.kafka..", "io.vertx.kafka..")
                .because("it must run in a management cluster that reaches no broker")
                .check(ProductionClasses.CLASSES);
    }

    @Test
    void nodeUpgraderDecidesWithoutClockOrInput() {
        noClasses()
                .that()
                .resideInAPackage("dev.flotilla.nodeupgrader.decision..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.flotilla.kube..", "dev.flotilla.runtime..", "java.util.concurrent..", "java.io..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(InstantSource.class)
                .orShould()
                .callMethod(Instant.class, "now")
                .because("the same objects must give the same decision, in a test as in a restarted process")
                .check(ProductionClasses.CLASSES);
    }
}
