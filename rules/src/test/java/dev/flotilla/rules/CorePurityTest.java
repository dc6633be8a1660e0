package dev.flotilla.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.flotilla.core.samples.ImpureSample;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The core computes the same rows from the same rows: on the leader, on a standby, after a restore, years later on
 * another JVM. Each rule forbids one cause of a difference between a run and its replay.
 */
class CorePurityTest {

    private static final String CORE = "dev.flotilla.core..";

    /** JDK packages of values and pure computation. */
    private static final String[] VALUE_PACKAGES = {
        "java.lang",
        "java.lang.annotation",
        "java.lang.invoke",
        "java.lang.runtime",
        "java.math",
        "java.nio.charset",
        "java.time",
        "java.time.temporal",
        "java.util",
        "java.util.function",
        "java.util.stream",
        "org.jspecify.annotations"
    };

    static final List<ArchRule> RULES = List.of(
            classes()
                    .that()
                    .resideInAPackage(CORE)
                    .should()
                    .onlyDependOnClassesThat(resideInAnyPackage(VALUE_PACKAGES)
                            .or(resideInAPackage(CORE))
                            .or(resideInAPackage("dev.flotilla.schemas..")
                                    .and(not(resideInAPackage("dev.flotilla.schemas.json.."))))
                            .or(describe(
                                    "are primitive",
                                    type -> type.getBaseComponentType().isPrimitive())))
                    .because("a decision is a function of rows: I/O, codecs, logs and futures belong to the shells"),

            // Time
            nothingUses("java.time.Clock", "java.time.InstantSource", "java.util.Date", "java.util.Calendar")
                    .because("time arrives with the input; otherwise a replay decides at another instant"),
            nothingCalls("now", "java.time..")
                    .because("time arrives with the input; otherwise a replay decides at another instant"),
            nothingUses("java.time.ZoneId", "java.time.ZonedDateTime", "java.util.TimeZone")
                    .because("zone rules differ between JVM releases: a zone's transitions are a row"),

            // Threads
            nothingUses("java.lang.Thread", "java.lang.ThreadLocal", "java.lang.InheritableThreadLocal")
                    .because("one thread owns the state, and the shell chooses it"),
            nothingCalls("wait|notify|notifyAll|parallel|parallelStream", "java..")
                    .because("an order that a scheduler chooses cannot be replayed"),
            noCodeUnits()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(CORE)
                    .should()
                    .haveModifier(JavaModifier.SYNCHRONIZED)
                    .because("a lock means that two threads share state"),
            noFields()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(CORE)
                    .should()
                    .haveModifier(JavaModifier.VOLATILE)
                    .allowEmptyShould(true)
                    .because("a volatile field means that two threads share state"),

            // The process
            nothingUses(
                            "java.lang.System",
                            "java.lang.Runtime",
                            "java.lang.Process",
                            "java.lang.ProcessBuilder",
                            "java.lang.ProcessHandle",
                            "java.lang.ClassLoader",
                            "java.lang.StackWalker",
                            "java.util.Properties",
                            "java.util.ResourceBundle",
                            "java.util.ServiceLoader",
                            "java.util.Scanner",
                            "java.util.Timer")
                    .because("environment, properties, identity hashes and consoles are not rows"),
            fields().that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(CORE)
                    .and()
                    .areStatic()
                    .should()
                    .beFinal()
                    .allowEmptyShould(true)
                    .because("state is rows, and several cores in one JVM (leader, standby, replay) must not share"
                            + " any"),
            nothingAccesses("default locale or charset", NondeterministicCalls::usesDefaultLocale)
                    .because("texts go into rows: name the locale or charset, or join strings"),

            // Chance and order
            nothingUses("java.util.Random", "java.util.SplittableRandom")
                    .because("jitter and cuts are hashes of names, equal in every run"),
            nothingCalls("random|randomUUID|shuffle", "java..")
                    .because("ids arrive as inputs or are the number of a row"),
            nothingUses(
                            "java.util.HashMap",
                            "java.util.HashSet",
                            "java.util.Hashtable",
                            "java.util.IdentityHashMap",
                            "java.util.WeakHashMap")
                    .because("hash order differs between JVMs: sorted or insertion-ordered collections do not"),
            nothingAccesses("Set.of, Map.of and copies of sets and maps", NondeterministicCalls::makesSaltedCollection)
                    .because("each JVM salts their order differently"),
            nothingAccesses("collectors into hash collections", NondeterministicCalls::collectsByHash)
                    .because("hand the collector a supplier of a sorted or insertion-ordered collection"),
            nothingAccesses("hash codes that may depend on identity", NondeterministicCalls::mayHashIdentity)
                    .because("the hash of an object or an enum is its address: hash names and numbers"),

            // Floating point
            noFields()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(CORE)
                    .should()
                    .haveRawType(describe("floating point", NondeterministicCalls::isFloating))
                    .allowEmptyShould(true)
                    .because("rows hold milliseconds, basis points and buckets: exact, and equal everywhere"),
            noCodeUnits()
                    .that()
                    .areDeclaredInClassesThat()
                    .resideInAPackage(CORE)
                    .should()
                    .haveRawReturnType(describe("floating point", NondeterministicCalls::isFloating))
                    .orShould()
                    .haveRawParameterTypes(describe(
                            "floating point", types -> types.stream().anyMatch(NondeterministicCalls::isFloating)))
                    .because("rows hold milliseconds, basis points and buckets: exact, and equal everywhere"),
            nothingAccesses("a floating-point function of Math", NondeterministicCalls::isFloatingMath)
                    .because("exp, log, pow and their kind may differ in the last bit between JVMs"));

    @ParameterizedTest
    @FieldSource("RULES")
    void coreKeepsTheRule(ArchRule rule) {
        rule.check(ProductionClasses.CLASSES);
    }

    @ParameterizedTest
    @FieldSource("RULES")
    void sampleBreaksTheRule(ArchRule rule) {
        JavaClasses impure = new ClassFileImporter().importClasses(ImpureSample.class);
        assertThat(rule.evaluate(impure).hasViolation())
                .as("the sample breaks this rule")
                .isTrue();
    }

    @Test
    void checksClassesOfTheCore() {
        assertThat(ProductionClasses.CLASSES.that(resideInAPackage(CORE)))
                .as("classes under these rules")
                .isNotEmpty();
    }

    private static ArchRule nothingUses(String... types) {
        Set<String> names = Set.of(types);
        return noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat(
                        describe("are " + String.join(", ", types), type -> names.contains(type.getName())));
    }

    private static ArchRule nothingCalls(String names, String packages) {
        DescribedPredicate<JavaClass> owner = resideInAPackage(packages);
        return nothingAccesses(
                names + " of " + packages,
                access -> access.getName().matches(names) && owner.test(access.getTargetOwner()));
    }

    private static ArchRule nothingAccesses(String what, Predicate<JavaAccess<?>> accesses) {
        return noClasses().that().resideInAPackage(CORE).should().accessTargetWhere(describe("is " + what, accesses));
    }
}
