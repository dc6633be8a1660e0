package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The README of each module: the same five lines, whose classes, modules and links exist. Anything longer is a document. */
class ModuleReadmesTest {
    private static final List<String> LINES = List.of("Purpose", "May use", "Read first", "Test", "Docs");
    private static final int MAX_LINE = 160;
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS_NAME = Pattern.compile("`((?:[a-z0-9]+/)*[A-Z]\\w+)`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

    private static final List<SourceTree.Source> SOURCES = SourceTree.java();

    static List<String> modules() {
        return SourceTree.modules();
    }

    private static List<String> readme(String module) {
        return SourceTree.Source.read(SourceTree.ROOT.resolve(module + "/README.md"))
                .lines();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void hasTheFiveLines(String module) {
        List<String> lines = readme(module);
        assertThat(lines).hasSize(LINES.size() + 2).startsWith("# " + module, "");
        for (int i = 0; i < LINES.size(); i++) {
            assertThat(lines.get(i + 2))
                    .startsWith("- **" + LINES.get(i) + "**: ")
                    .hasSizeLessThan(MAX_LINE);
        }
        assertThat(lines.get(5)).contains("-pl " + module);
    }

    /** A module that may use nearly all others names those that it must not use. */
    @ParameterizedTest
    @MethodSource("modules")
    void namesTheModulesThatItMayUse(String module) {
        String line = readme(module).get(3);
        List<String> named = CODE.matcher(line)
                .results()
                .map(found -> found.group(1))
                .filter(SourceTree.modules()::contains)
                .toList();
        List<String> allowed = allowedModules(module);
        assertThat(named)
                .containsExactlyElementsOf(
                        line.contains("every module")
                                ? SourceTree.modules().stream()
                                        .filter(other -> !other.equals(module) && !allowed.contains(other))
                                        .toList()
                                : allowed);
    }

    private static List<String> allowedModules(String module) {
        ModuleDependenciesTest.Module row = Arrays.stream(ModuleDependenciesTest.Module.values())
                .filter(each -> each.packageName().equals("dev.flotilla." + module.replace("-", "")))
                .findFirst()
                .orElseThrow();
        return SourceTree.modules().stream()
                .filter(other -> row == ModuleDependenciesTest.Module.RULES || row.mayUse(other))
                .filter(other -> !other.equals(module))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void namesExistingClassesAndFiles(String module) {
        String text = String.join("\n", readme(module));
        assertThat(CLASS_NAME.matcher(text).results().map(found -> "/" + found.group(1) + ".java"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(SOURCES)
                        .as(file)
                        .anyMatch(source -> source.path().toString().endsWith(file)));
        assertThat(LINK.matcher(text).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allMatch(link -> Files.exists(SourceTree.ROOT.resolve(module).resolve(link)));
    }
}
