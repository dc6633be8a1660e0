package dev.flotilla.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which package may use which others within its module, how large cycles of classes may be, and what may be public. */
class PackageDependenciesTest {
    private static final String ROOT = "dev.flotilla.";
    private static final int LARGEST_CLASS_CYCLE = 3;

    /** Types whose values another package hands over without naming the type. */
    private static final Set<String> HANDED_OVER = Set.of(
            "dev.flotilla.simulator.kubernetes.PortForwardResolver",
            "dev.flotilla.cli.demo.DemoEvent",
            "dev.flotilla.orchestrator.api.answer.FreezeCause");

    /** A line of the table. */
    private record AllowedUse(String name, Set<String> uses, String reason) {
        static AllowedUse parse(String line) {
            String[] parts = line.split(" \\| ", -1);
            return new AllowedUse(
                    parts[0],
                    parts[1].equals("-") ? Set.of() : new TreeSet<>(Arrays.asList(parts[1].split(" "))),
                    parts[2]);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<AllowedUse> table() throws IOException {
        try (InputStream in = PackageDependenciesTest.class.getResourceAsStream("package-dependencies.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(AllowedUse::parse)
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    void packageUsesExactlyThePackagesInTheTable(AllowedUse allowed) {
        assertThat(uses(allowed.name()))
                .as("packages of its module that %s uses; allowed because %s", allowed.name(), allowed.reason())
                .isEqualTo(allowed.uses());
    }

    @Test
    void everyPackageIsInTheTable() throws IOException {
        assertThat(table().stream().map(AllowedUse::name))
                .containsExactlyInAnyOrderElementsOf(SourceTree.productionJava().stream()
                        .filter(SourceTree.Source::isPackageInfo)
                        .map(source -> nameOf(source.path().getParent().toString()))
                        .filter(name -> !name.equals("e2e") && !name.equals("rules"))
                        .toList());
    }

    /** The order of the table shows that packages form no cycle. */
    @Test
    void aPackageIsListedAfterThoseThatItUses() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (AllowedUse allowed : table()) {
            String module = allowed.name().split("\\.")[0];
            assertThat(listed)
                    .as("packages above %s", allowed.name())
                    .containsAll(allowed.uses().stream()
                            .map(use -> use.equals(".") ? module : module + "." + use)
                            .toList());
            listed.add(allowed.name());
        }
    }

    @Test
    void classesFormNoLargeCycles() {
        Map<String, Set<String>> edges = new TreeMap<>();
        for (JavaClass javaClass : ProductionClasses.CLASSES) {
            JavaClass from = topLevel(javaClass);
            javaClass.getDirectDependenciesFromSelf().forEach(dependency -> {
                JavaClass to = topLevel(dependency.getTargetClass());
                if (!to.equals(from) && to.getPackageName().equals(from.getPackageName())) {
                    edges.computeIfAbsent(from.getName(), name -> new TreeSet<>())
                            .add(to.getName());
                }
            });
        }
        assertThat(new ClassCycles(edges)
                        .find().stream()
                                .filter(cycle -> cycle.size() > LARGEST_CLASS_CYCLE)
                                .map(PackageDependenciesTest::describe))
                .as("cycles of more than %d classes of one package", LARGEST_CLASS_CYCLE)
                .isEmpty();
    }

    /** A type that only tests of other packages use counts as used. */
    @Test
    void publicTypesAreUsedOutsideTheirPackage() {
        Map<String, Set<String>> packagesByWord = packagesByWord();
        assertThat(ProductionClasses.CLASSES.stream()
                        .filter(type -> type.isTopLevelClass()
                                && type.getModifiers().contains(JavaModifier.PUBLIC)
                                && !type.getSimpleName().equals("package-info")
                                && type.tryGetMethod("main", String[].class).isEmpty())
                        .filter(type -> packagesByWord.getOrDefault(type.getSimpleName(), Set.of()).stream()
                                .allMatch(name -> name.equals(type.getPackageName())))
                        .filter(PackageDependenciesTest::isUsedWithinItsPackageOnly)
                        .map(JavaClass::getName))
                .as("public types that could be package-private")
                .containsExactlyInAnyOrderElementsOf(HANDED_OVER);
    }

    private static boolean isUsedWithinItsPackageOnly(JavaClass type) {
        return type.getDirectDependenciesToSelf().stream()
                .allMatch(dependency ->
                        dependency.getOriginClass().getPackageName().equals(type.getPackageName()));
    }

    /** For each word of a Java source or a service file the packages whose files have it. */
    private static Map<String, Set<String>> packagesByWord() {
        Map<String, Set<String>> found = new HashMap<>();
        for (SourceTree.Source source : SourceTree.java()) {
            if (source.name().equals(PackageDependenciesTest.class.getSimpleName())) {
                continue;
            }
            String name = ROOT + nameOf(source.path().getParent().toString());
            for (String line : source.lines()) {
                for (String word : line.split("\\W+")) {
                    found.computeIfAbsent(word, absent -> new HashSet<>()).add(name);
                }
            }
        }
        Stream.of("testkit Extension", "logging Provider", "auditor Provider")
                .map(each -> each.split(" "))
                .flatMap(each -> SourceTree.under(each[0] + "/src/main/resources/META-INF/services", each[1]))
                .flatMap(service -> service.lines().stream())
                .flatMap(line -> Arrays.stream(line.split("\\W+")))
                .forEach(word ->
                        found.computeIfAbsent(word, absent -> new HashSet<>()).add("services"));
        return found;
    }

    private static Set<String> uses(String name) {
        String module = name.split("\\.")[0];
        String prefix = ROOT + module;
        return ProductionClasses.CLASSES.stream()
                .filter(type -> type.getPackageName().equals(ROOT + name))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getPackageName())
                .filter(used -> used.equals(prefix) || used.startsWith(prefix + "."))
                .filter(used -> !used.equals(ROOT + name))
                .map(used -> used.equals(prefix) ? "." : used.substring(prefix.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String nameOf(String path) {
        return path.substring(path.indexOf("dev/flotilla/") + "dev/flotilla/".length())
                .replace('/', '.');
    }

    private static JavaClass topLevel(JavaClass type) {
        JavaClass top = type.getBaseComponentType();
        while (top.getEnclosingClass().isPresent()) {
            top = top.getEnclosingClass().get();
        }
        return top;
    }

    private static String describe(List<String> cycle) {
        List<String> sorted = new ArrayList<>(cycle);
        sorted.sort(null);
        String first = sorted.getFirst();
        return first.substring(ROOT.length(), first.lastIndexOf('.')) + ": "
                + sorted.stream()
                        .map(name -> name.substring(name.lastIndexOf('.') + 1))
                        .collect(Collectors.joining(" "));
    }
}
