package dev.flotilla.rules;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The core computes the same rows from the same rows: on the leader, on a standby, after a restore, in another year on
 * another JVM. Each rule closes one way by which a run could differ from its replay.
 */
class CorePurityTest {

    private static final String CORE = "dev.flotilla.core..";

    private static final String[] VALUES = {
        "java.lang", "java.lang.annotation", "java.lang.invoke", "java.lang.runtime", "java.math", "java.nio.charset",
        "java.time", "java.time.temporal", "java.util", "java.util.function", "java.util.stream",
                "org.jspecify.annotations"
    };

    private static final DescribedPredicate<JavaClass> CONTRACT = resideInAPackage("dev.flotilla.schemas..")
            .and(not(resideInAnyPackage("dev.flotilla.schemas.json..", "dev.flotilla.schemas.codec..")))
            .as("rows of schemas, without their codecs");

    @Test
    void knowsNothingButRowsAndPlainValues() {
        classes()
                .that()
                .resideInAPackage(CORE)
                .should()
                .onlyDependOnClassesThat(resideInAPackage(CORE)
                        .or(CONTRACT)
                        .or(resideInAnyPackage(VALUES))
                        .or(describe("primitives and arrays of them", CorePurityTest::isPrimitive)))
                .because("a decision is a function of rows: I/O, codecs, logs and futures belong to the shells")
                .check(Production.CLASSES);
    }

    @Test
    void hasNoClock() {
        noneMayUse(named(
                        "java.time.Clock",
                        "java.time.InstantSource",
                        "java.util.Date",
                        "java.util.Calendar",
                        "java.util.Timer"))
                .because("time arrives with the input, else a replay decides at another instant")
                .check(Production.CLASSES);
        noneMayCall("now", "java.time..")
                .because("time arrives with the input, else a replay decides at another instant")
                .check(Production.CLASSES);
    }

    @Test
    void hasNoTimeZones() {
        noneMayUse(named("java.time.ZoneId", "java.time.ZonedDateTime", "java.util.TimeZone"))
                .because("zone rules differ between JVM releases: a zone's transitions are a row")
                .check(Production.CLASSES);
    }

    @Test
    void hasNoThreads() {
        noneMayUse(named(
                        "java.lang.Thread",
                        "java.lang.ThreadGroup",
                        "java.lang.ThreadLocal",
                        "java.lang.InheritableThreadLocal",
                        "java.lang.ScopedValue"))
                .because("one thread owns the state, and it is not the core's to choose which")
                .check(Production.CLASSES);
        noneMayCall("wait|notify|notifyAll|parallel|parallelStream", "java..")
                .because("an order that a scheduler chose cannot be replayed")
                .check(Production.CLASSES);
        methods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .because("a lock says that two threads own one state")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .should()
                .haveModifier(JavaModifier.VOLATILE)
                .because("a volatile field says that two threads own one state")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
    }

    @Test
    void hasNoStateOfTheProcess() {
        noneMayUse(named(
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
                        "java.util.Scanner"))
                .because("environment, properties, identity hashes and consoles are not rows")
                .check(Production.CLASSES);
        fields().that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .and()
                .areStatic()
                .should()
                .beFinal()
                .because("state is rows, and two cores in one JVM (leader, standby, replay) share none")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
    }

    @Test
    void hasNoChance() {
        noneMayUse(named("java.util.Random", "java.util.SplittableRandom"))
                .because("jitter and cuts are hashes of names, equal in every run")
                .check(Production.CLASSES);
        noneMayCall("random|randomUUID|shuffle", "java..")
                .because("ids arrive as inputs or are the number of a row")
                .check(Production.CLASSES);
    }

    @Test
    void iteratesInOneOrder() {
        noneMayUse(named(
                        "java.util.HashMap",
                        "java.util.HashSet",
                        "java.util.Hashtable",
                        "java.util.IdentityHashMap",
                        "java.util.WeakHashMap"))
                .because("hash order differs between JVMs: sorted or insertion-ordered collections do not")
                .check(Production.CLASSES);
        noneMayAccess(describe("Set.of, Map.of and copies of sets and maps", CorePurityTest::isSalted))
                .because("their order is salted anew by each JVM")
                .check(Production.CLASSES);
        noneMayAccess(describe("collectors into hash collections", CorePurityTest::collectsByHash))
                .because("hand the collector a supplier of a sorted or insertion-ordered collection")
                .check(Production.CLASSES);
    }

    @Test
    void hashesNoIdentity() {
        noneMayAccess(describe("hash codes that may be of identity", CorePurityTest::mayHashIdentity))
                .because("the hash of an object or an enum is its address: hash names and numbers")
                .check(Production.CLASSES);
    }

    @Test
    void readsNoLocaleOrCharsetOfTheMachine() {
        noneMayUse(named("java.util.Formatter"))
                .because("texts are for rows and must not follow the machine")
                .check(Production.CLASSES);
        noneMayAccess(describe("what takes the machine's locale or charset", CorePurityTest::takesTheMachinesLocale))
                .because("name the locale or charset, or join strings")
                .check(Production.CLASSES);
    }

    @Test
    void countsInIntegers() {
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .should()
                .haveRawType(describe("floating point", CorePurityTest::isFloating))
                .because("rows hold milliseconds, basis points and buckets: exact, and equal everywhere")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
        noCodeUnits()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(CORE)
                .should()
                .haveRawReturnType(describe("floating point", CorePurityTest::isFloating))
                .orShould()
                .haveRawParameterTypes(describe(
                        "floating point among them", types -> types.stream().anyMatch(CorePurityTest::isFloating)))
                .because("rows hold milliseconds, basis points and buckets: exact, and equal everywhere")
                .allowEmptyShould(true)
                .check(Production.CLASSES);
        noneMayUse(named("java.lang.StrictMath"))
                .because("whoever needs it computes in floating point")
                .check(Production.CLASSES);
        noneMayAccess(describe("a floating-point function of Math", CorePurityTest::isFloatingMath))
                .because("exp, log, pow and their kind may differ in the last bit between JVMs")
                .check(Production.CLASSES);
    }

    private static boolean isPrimitive(JavaClass type) {
        return type.getBaseComponentType().isPrimitive();
    }

    private static boolean isFloating(JavaClass type) {
        return Stream.of(double.class, float.class, Double.class, Float.class)
                .anyMatch(type.getBaseComponentType()::isEquivalentTo);
    }

    private static boolean isFloatingMath(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Math.class)
                && access.getTarget() instanceof CodeUnitAccessTarget call
                && Stream.concat(Stream.of(call.getRawReturnType()), call.getRawParameterTypes().stream())
                        .anyMatch(CorePurityTest::isFloating);
    }

    private static boolean isSalted(JavaAccess<?> access) {
        return switch (access.getTargetOwner().getName() + "." + access.getName()) {
            case "java.util.Set.of",
                    "java.util.Set.copyOf",
                    "java.util.Map.of",
                    "java.util.Map.ofEntries",
                    "java.util.Map.copyOf" -> true;
            default -> false;
        };
    }

    /** A `hashCode` of ours may ask for what it likes: only who iterates by hash would notice, and nobody may. */
    private static boolean mayHashIdentity(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        return switch (access.getName()) {
            case "hashCode" ->
                !access.getOrigin().getName().equals("hashCode")
                        && (owner.isEquivalentTo(Object.class)
                                || owner.isEquivalentTo(Objects.class)
                                || owner.isAssignableTo(Enum.class));
            case "hash" -> !access.getOrigin().getName().equals("hashCode") && owner.isEquivalentTo(Objects.class);
            default -> false;
        };
    }

    private static boolean collectsByHash(JavaAccess<?> access) {
        if (!access.getTargetOwner().getName().equals("java.util.stream.Collectors")
                || !(access.getTarget() instanceof CodeUnitAccessTarget call)) {
            return false;
        }
        int arguments = call.getRawParameterTypes().size();
        return switch (access.getName()) {
            case "toSet", "toUnmodifiableSet", "toUnmodifiableMap" -> true;
            case "toMap" -> arguments < 4;
            case "groupingBy" -> arguments < 3;
            default -> access.getName().contains("Concurrent");
        };
    }

    private static boolean takesTheMachinesLocale(JavaAccess<?> access) {
        if (!access.getTargetOwner().isEquivalentTo(String.class)
                || !(access.getTarget() instanceof CodeUnitAccessTarget call)) {
            return access.getTargetOwner().getName().equals("java.util.Locale")
                    && access.getName().equals("getDefault");
        }
        return switch (access.getName()) {
            case "toLowerCase", "toUpperCase", "getBytes" ->
                call.getRawParameterTypes().isEmpty();
            case "format" -> call.getRawParameterTypes().getFirst().isEquivalentTo(String.class);
            case "formatted" -> true;
            default -> false;
        };
    }

    private static DescribedPredicate<JavaClass> named(String... types) {
        Set<String> names = Set.of(types);
        return describe("are one of " + String.join(", ", types), type -> names.contains(type.getName()));
    }

    private static ArchRule noneMayUse(DescribedPredicate<JavaClass> types) {
        return noClasses().that().resideInAPackage(CORE).should().dependOnClassesThat(types);
    }

    private static ArchRule noneMayCall(String names, String packages) {
        return noneMayAccess(describe(
                names + " of " + packages,
                access -> access.getName().matches(names)
                        && resideInAPackage(packages).test(access.getTargetOwner())));
    }

    private static ArchRule noneMayAccess(DescribedPredicate<JavaAccess<?>> accesses) {
        return noClasses().that().resideInAPackage(CORE).should().accessTargetWhere(accesses);
    }
}
