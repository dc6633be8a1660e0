package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Checks the runbook: every alert and every gate has an entry, and there are no other entries. */
class RunbookTest {
    private static final String PAGE = "docs/runbook.md";
    private static final String ENTRY = "### ";

    @Test
    void everyAlertAndGateHasAnEntry() throws IOException {
        List<String> wanted = Stream.concat(
                        rules().stream().map(rule -> String.valueOf(rule.get("alert"))),
                        Arrays.stream(GateLabel.values()).map(gate -> "`" + gate.label() + "`"))
                .toList();
        assertThat(entries()).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void gatesAreInOrder() throws IOException {
        assertThat(entries().stream().filter(entry -> entry.startsWith("`")))
                .containsExactlyElementsOf(Arrays.stream(GateLabel.values())
                        .map(gate -> "`" + gate.label() + "`")
                        .toList());
    }

    @Test
    void alertsLinkToTheirEntries() throws IOException {
        assertThat(rules()).isNotEmpty().allSatisfy(rule -> {
            String alert = String.valueOf(rule.get("alert"));
            assertThat(annotation(rule, "runbook_url"))
                    .isEqualTo("https://flotilla.dev/" + PAGE + "#" + alert.toLowerCase(Locale.ROOT));
            assertThat(annotation(rule, "summary")).as(alert).isNotBlank();
            assertThat(annotation(rule, "description")).as(alert).isNotBlank();
        });
    }

    @Test
    void entriesAreNotEmpty() throws IOException {
        List<String> lines = Files.readAllLines(CliResult.ROOT.resolve(PAGE)).stream()
                .filter(line -> !line.isBlank())
                .toList();
        for (int i = 0; i < lines.size() - 1; i++) {
            if (lines.get(i).startsWith(ENTRY)) {
                assertThat(lines.get(i + 1)).as("what %s says", lines.get(i)).doesNotStartWith("#");
            }
        }
    }

    private static String annotation(Map<?, ?> rule, String name) {
        Object value = ((Map<?, ?>) rule.get("annotations")).get(name);
        return value == null ? "" : value.toString();
    }

    private static List<String> entries() throws IOException {
        return Files.readAllLines(CliResult.ROOT.resolve(PAGE)).stream()
                .filter(line -> line.startsWith(ENTRY))
                .map(line -> line.substring(ENTRY.length()))
                .toList();
    }

    private static List<Map<?, ?>> rules() throws IOException {
        Object file = new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(CliResult.ROOT.resolve("deploy/alerts/flotilla-rules.yaml")));
        return list(((Map<?, ?>) file).get("groups")).stream()
                .flatMap(group -> list(group.get("rules")).stream())
                .toList();
    }

    private static List<Map<?, ?>> list(Object value) {
        return ((List<?>) value)
                .stream().<Map<?, ?>>map(each -> (Map<?, ?>) each).toList();
    }
}
