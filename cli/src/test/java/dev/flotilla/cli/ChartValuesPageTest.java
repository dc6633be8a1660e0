package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * docs/install.md lists every value of the charts with its default and the comment of {@code values.yaml};
 * {@code -Dflotilla.rewrite=true} writes the tables again.
 */
class ChartValuesPageTest {
    private static final Path PAGE = CliResult.ROOT.resolve("docs/install.md");
    private static final Pattern KEY = Pattern.compile("( *)([\\w.]+):(?: (.*))?");

    /** Maps that are one value, whatever keys they have. */
    private static final Set<String> WHOLE = Set.of("client", "labels", "annotations", "resources", "settings");

    @ParameterizedTest
    @ValueSource(strings = {"flotilla-fleet", "flotilla-site", "flotilla-crds"})
    void pageListsEveryValue(String chart) throws IOException {
        String page = Files.readString(PAGE);
        String begin = "<!-- " + chart + ": generated -->\n";
        int from = page.indexOf(begin);
        assertThat(from).as(begin).isNotNegative();
        int start = from + begin.length();
        int end = page.indexOf("<!-- end -->", start);
        String wanted = table(Files.readAllLines(new HelmChart(chart).folder().resolve("values.yaml")));
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(PAGE, page.substring(0, start) + wanted + page.substring(end));
        } else {
            assertThat(page.substring(start, end)).isEqualTo(wanted);
        }
    }

    /** A row for each key that has a comment or a value. */
    private static String table(List<String> lines) {
        StringBuilder table = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
        Deque<String> path = new ArrayDeque<>();
        List<String> comment = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            Matcher key = KEY.matcher(line);
            if (line.strip().startsWith("#")) {
                comment.add(line.strip().substring(1).strip());
            } else if (key.matches()) {
                int depth = key.group(1).length() / 2;
                while (path.size() > depth) {
                    path.removeLast();
                }
                path.addLast(key.group(2));
                String value = key.group(3) == null ? "" : key.group(3);
                if (WHOLE.contains(key.group(2)) && value.isEmpty()) {
                    List<String> entries = new ArrayList<>();
                    while (at + 1 < lines.size() && lines.get(at + 1).startsWith(" ".repeat(2 * depth + 2))) {
                        at++;
                        entries.add(lines.get(at).strip());
                    }
                    value = "{" + String.join(", ", entries) + "}";
                }
                if (!value.isEmpty() || !comment.isEmpty()) {
                    table.append("| `").append(String.join(".", path)).append("` | ");
                    table.append(value.isEmpty() ? "" : "`" + value + "`").append(" | ");
                    table.append(String.join(" ", comment).replace("|", "\\|")).append(" |\n");
                }
                comment.clear();
            } else {
                comment.clear();
            }
        }
        return table.toString();
    }
}
