package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where a page says which tests prove what it says, there are such tests. */
class ProofsTest {
    private static final String PAGE = "docs/canonical.md";
    private static final Pattern PROOF = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

    @Test
    void everyRuleHasATestThatExists() {
        List<SourceTree.Source> tests = SourceTree.java().stream()
                .filter(source -> source.path().toString().contains("/src/test/"))
                .toList();
        List<String> rules = rules();
        assertThat(rules).hasSizeGreaterThan(60);
        for (String rule : rules) {
            assertThat(PROOF.matcher(rule.substring(rule.lastIndexOf(" | "))).results())
                    .as("the tests of: %s", rule)
                    .isNotEmpty()
                    .allSatisfy(proof -> assertThat(declared(tests, proof.group(1), proof.group(2)))
                            .as("tests called %s", proof.group())
                            .isOne());
        }
    }

    private static long declared(List<SourceTree.Source> tests, String name, String method) {
        Pattern declaration = Pattern.compile("\\bvoid " + method + "\\(");
        return tests.stream()
                .filter(source -> source.name().equals(name))
                .flatMap(source -> source.linesWith(declaration))
                .count();
    }

    /** The rows of its tables, without their heads. */
    private static List<String> rules() {
        List<String> lines =
                SourceTree.Source.read(SourceTree.ROOT.resolve(PAGE)).lines();
        return IntStream.range(0, lines.size() - 1)
                .filter(i -> lines.get(i).startsWith("| ") && !lines.get(i + 1).startsWith("|---"))
                .mapToObj(lines::get)
                .toList();
    }
}
