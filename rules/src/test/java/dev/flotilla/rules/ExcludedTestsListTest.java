package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@code .ci/left-out.txt} lists exactly the tests that {@code ./mvnw verify} leaves out. */
class ExcludedTestsListTest {
    private static final Pattern TAG = Pattern.compile("^( *)@Tag\\(\"(\\w+)\"\\)");
    private static final Pattern DECLARED =
            Pattern.compile("^ *(?:public |final |static )*(?:void (\\w+)\\(|class (\\w+))");

    @Test
    void listContainsExactlyTheExcludedTests() {
        List<String> listed = SourceTree.Source.read(SourceTree.ROOT.resolve(".ci/left-out.txt")).lines().stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(listed)
                .as(".ci/left-out.txt, one line for each test that has a tag: module, class or class.method, tag")
                .containsExactlyElementsOf(
                        tests().flatMap(ExcludedTestsListTest::tagged).sorted().toList());
    }

    private static Stream<SourceTree.Source> tests() {
        return SourceTree.java().stream()
                .filter(source -> source.path().toString().contains("/src/test/"));
    }

    private static Stream<String> tagged(SourceTree.Source source) {
        List<String> lines = source.lines();
        return Stream.iterate(0, i -> i < lines.size(), i -> i + 1).flatMap(i -> {
            Matcher tag = TAG.matcher(lines.get(i));
            return tag.find() ? Stream.of(line(source, tag.group(2), lines.subList(i, lines.size()))) : Stream.empty();
        });
    }

    private static String line(SourceTree.Source source, String tag, List<String> from) {
        Matcher declared = from.stream()
                .map(DECLARED::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElseThrow(() -> new AssertionError(source + " has a tag that belongs to no test or class"));
        String module = SourceTree.ROOT.relativize(source.path()).getName(0).toString();
        String method = declared.group(1) == null ? "" : "." + declared.group(1);
        return module + " " + source.name() + method + " " + tag;
    }
}
