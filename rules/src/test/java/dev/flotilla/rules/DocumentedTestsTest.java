package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks that the tests exist that documentation pages name as their proof. */
class DocumentedTestsTest {
    private static final Pattern PROOF = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

    @Test
    void everyCanonicalRuleNamesExistingTests() {
        List<SourceTree.Source> tests = tests();
        List<String> rules = rules("docs/canonical.md");
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

    @Test
    void everySecurityItemNamesExistingTestsOrNone() {
        List<SourceTree.Source> tests = tests();
        List<String> items = rules("docs/security.md");
        assertThat(items).hasSizeGreaterThanOrEqualTo(22);
        for (String item : items) {
            String proofs = item.substring(item.lastIndexOf(" | "));
            assertThat(PROOF.matcher(proofs).results().toList())
                    .as("the tests of: %s", item)
                    .matches(found -> found.isEmpty() == proofs.equals(" | none yet |"))
                    .allSatisfy(proof -> assertThat(declared(tests, proof.group(1), proof.group(2)))
                            .as("tests called %s", proof.group())
                            .isOne());
        }
    }

    private static List<SourceTree.Source> tests() {
        return SourceTree.java().stream()
                .filter(source -> source.path().toString().contains("/src/test/"))
                .toList();
    }

    private static long declared(List<SourceTree.Source> tests, String name, String method) {
        Pattern declaration = Pattern.compile("\\bvoid " + method + "\\(");
        return tests.stream()
                .filter(source -> source.name().equals(name))
                .flatMap(source -> source.linesWith(declaration))
                .count();
    }

    /** Rows of a page's tables, without headers. */
    private static List<String> rules(String page) {
        List<String> lines =
                SourceTree.Source.read(SourceTree.ROOT.resolve(page)).lines();
        return IntStream.range(0, lines.size() - 1)
                .filter(i -> lines.get(i).startsWith("| ") && !lines.get(i + 1).startsWith("|---"))
                .mapToObj(lines::get)
                .toList();
    }
}
