package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.prometheus.LocalPrometheus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Tests the alert rules with promtool. */
class AlertRulesIT {
    private static final Path FOLDER = CliResult.ROOT.resolve("deploy/alerts");
    private static final String RULES = "flotilla-rules.yaml";
    private static final String CASES = "flotilla-rules.test.yaml";
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
    private static final Pattern METRIC = Pattern.compile("flotilla_\\w+");

    @Test
    @EnabledIf(value = LocalPrometheus.PRESENT, disabledReason = LocalPrometheus.ABSENT)
    void alertsFireWhenTheyShould() throws Exception {
        assertThat(promtool("check", "rules", RULES)).contains("SUCCESS");
        assertThat(promtool("test", "rules", CASES)).contains("SUCCESS");
    }

    @Test
    void eachAlertHasACaseThatFiresAndOneThatDoesNot() throws IOException {
        String cases = Files.readString(FOLDER.resolve(CASES));
        for (String alert : found(ALERT, Files.readString(FOLDER.resolve(RULES)), 1)) {
            assertThat(found(Pattern.compile("alertname: " + alert + "\n(?: +(exp_alerts))?"), cases, 1))
                    .as(alert)
                    .contains("exp_alerts")
                    .containsNull();
        }
    }

    @Test
    void alertsQueryExistingMetrics() throws IOException {
        MetricsReferencePage page = MetricsReferencePage.read();
        assertThat(found(METRIC, Files.readString(FOLDER.resolve(RULES)), 0))
                .isNotEmpty()
                .allSatisfy(metric -> assertThat(page.labels(metric)).as(metric).isNotNull());
    }

    private static List<String> found(Pattern what, String text, int group) {
        return what.matcher(text).results().map(found -> found.group(group)).toList();
    }

    private static String promtool(String... args) throws IOException, InterruptedException {
        ProcessBuilder tool = new ProcessBuilder(LocalPrometheus.promtool().toString());
        tool.command().addAll(List.of(args));
        Process process =
                tool.directory(FOLDER.toFile()).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
