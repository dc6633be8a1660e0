package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.logging.LogFormat;
import dev.flotilla.logging.LogLevels;
import dev.flotilla.logging.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of commands that need Kafka: wrong usage, wrong settings and an unreachable broker. */
class KafkaCommandUsageIT {
    /** Address on which nothing listens. */
    private static final String NOBODY = "127.0.0.1:1";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fleet status",
                "campaign list",
                "campaign pause spring --reason x",
                "site add east",
                "journal verify",
                "orchestrator"
            })
    void withoutKafkaSettingsTheErrorSaysHowToGiveThem(String line) {
        CliResult cliResult = CliResult.flotilla(line.split(" "));

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out()).isEmpty();
        assertThat(cliResult.err()).contains("ootstrap").doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fleet status",
                "campaign list",
                "campaign delete spring",
                "site check east",
                "site add east",
                "machine explain east/fleet/k1",
                "site rbac east",
                "policy list",
                "rejected list",
                "rejected show flotilla.campaigns/0/spring",
                "journal verify",
                "orchestrator"
            })
    void withoutABrokerTheErrorNamesItWithinSeconds(String line) {
        long begun = System.nanoTime();

        CliResult cliResult = CliResult.runInEnvironment(Map.of("FLOTILLA_BROKERS", NOBODY), line.split(" "));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
        assertThat(cliResult.exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(cliResult.out()).isEmpty();
        assertThat(cliResult.err().lines())
                .singleElement()
                .asString()
                .contains(NOBODY)
                .contains("check that the broker runs")
                .doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "campaign pause Spring --reason x",
                "campaign pause spring",
                "campaign approve spring Wave! --reason x",
                "campaign approve spring canary --overlap --reason x",
                "campaign skip spring k1 --reason x",
                "campaign apply",
                "campaign apply no-such-file.yaml",
                "policy apply no-such-file.yaml",
                "fleet caps --in-flight none",
                "fleet caps --in-flight 5 --wait -1",
                "fleet freeze",
                "site add fleet",
                "site check East",
                "site check east --kubeconfig no-such-file",
                "site rbac East",
                "site rbac east --namespace Fleet --service-account worker",
                "site rbac east --node-upgrader",
                "machine release k1",
                "machine trust k1",
                "machine trust east/fleet/k1 --kubeconfig no-such-file",
                "site freeze North --reason x",
                "machine explain k1",
                "machine list --output xml",
                "journal tail --since yesterday",
                "fleet status --bootstrap nowhere",
                "fleet status --config no-such-file.yaml",
                "orchestrator --listen here",
                "orchestrator --instance Two!",
                "orchestrator --log-format xml"
            })
    void wrongUsageIsReportedBeforeConnecting(String line) {
        CliResult cliResult = CliResult.runInEnvironment(Map.of("FLOTILLA_BOOTSTRAP_SERVERS", NOBODY), line.split(" "));

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.out()).isEmpty();
        assertThat(cliResult.err()).isNotBlank().doesNotContain("\tat ").doesNotContain("Exception");
        String command = line.startsWith("orchestrator")
                ? "orchestrator"
                : String.join(" ", List.of(line.split(" ")).subList(0, 2));
        assertThat(cliResult.err().lines())
                .allMatch(said -> said.startsWith("flotilla " + command + ": ")
                        || said.equals("See flotilla " + command + " --help"));
    }

    @Test
    void rolesOfAWorkloadClusterNeedNoBroker() throws IOException {
        String worker = Files.readString(CliResult.ROOT.resolve("deploy/node-worker/rbac-workload.yaml"));
        String upgrader = Files.readString(CliResult.ROOT.resolve("deploy/node-upgrader/rbac-workload.yaml"));
        assertThat(CliResult.flotilla("site", "rbac", "east", "--workload").out())
                .isEqualTo(worker);
        assertThat(CliResult.flotilla("site", "rbac", "east", "--workload", "--node-upgrader")
                        .out())
                .isEqualTo(worker + "---\n" + upgrader);
    }

    @Test
    void reportsAllProblemsOfAFileAtOnce() throws IOException {
        Path config = folder.resolve("flotilla.yaml");
        Files.writeString(config, """
                kafka:
                  bootstrapServers: nowhere
                  client: {security.protocl: SSL}
                """);
        Path campaign = folder.resolve("campaign.yaml");
        Files.writeString(campaign, """
                apiVersion: flotilla.dev/v1
                kind: Campaign
                metadata: {name: 'Bad Name!'}
                spec: {target: {option: 'chanel=1'}, select: {}}
                """);

        CliResult settings = CliResult.flotilla("fleet", "status", "--config", config.toString());
        CliResult files = CliResult.flotilla("campaign", "apply", campaign.toString(), "--bootstrap", NOBODY);

        assertThat(settings.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(settings.err()).contains("nowhere", "security.protocl", "did you mean security.protocol?");
        assertThat(files.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(files.err()).contains("Bad Name!", "chanel");
    }

    @Test
    void contextIsChosenByOptionEnvironmentOrFile() throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, """
                currentContext: lab
                contexts:
                  - {name: lab, kafka: {bootstrapServers: "127.0.0.1:1"}}
                  - {name: live, kafka: {bootstrapServers: "127.0.0.1:2"}}
                """);
        Map<String, String> usual = Map.of("FLOTILLA_CONTEXTS", file.toString());
        Map<String, String> chosen = Map.of("FLOTILLA_CONTEXTS", file.toString(), "FLOTILLA_CONTEXT", "live");
        Map<String, String> elsewhere =
                Map.of("FLOTILLA_CONTEXTS", file.toString(), "FLOTILLA_BOOTSTRAP_SERVERS", "127.0.0.1:3");

        assertThat(CliResult.runInEnvironment(usual, "fleet", "status").err()).contains("127.0.0.1:1");
        assertThat(CliResult.runInEnvironment(chosen, "fleet", "status").err()).contains("127.0.0.1:2");
        assertThat(CliResult.runInEnvironment(elsewhere, "fleet", "status").err())
                .contains("127.0.0.1:3");
        assertThat(CliResult.runInEnvironment(elsewhere, "fleet", "status", "--context", "live")
                        .err())
                .contains("127.0.0.1:2");
    }

    @Test
    void unknownContextIsReportedWithTheKnownOnes() throws IOException {
        Path file = folder.resolve("config.yaml");
        Files.writeString(file, "contexts: [{name: lab, kafka: {bootstrapServers: '127.0.0.1:1'}}]\n");
        Map<String, String> usual = Map.of("FLOTILLA_CONTEXTS", file.toString());

        CliResult unknown = CliResult.runInEnvironment(usual, "fleet", "status", "--context", "live");
        assertThat(unknown.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(unknown.err()).contains("--context live", file.toString(), "contexts: lab");
        CliResult twice =
                CliResult.runInEnvironment(usual, "fleet", "status", "--context", "lab", "--bootstrap", NOBODY);
        assertThat(twice.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(twice.err()).contains("--context lab and --bootstrap");
        CliResult none = CliResult.runInEnvironment(usual, "fleet", "status");
        assertThat(none.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(none.err()).contains("no Kafka brokers are configured");
        CliResult service = CliResult.runInEnvironment(usual, "orchestrator", "--context", "lab");
        assertThat(service.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(service.err()).contains("--context lab", "--config FILE");
        Files.writeString(file, "contexts: [{name: lab, kafka: {bootstrapServer: '127.0.0.1:1'}}]\n");
        CliResult wrong = CliResult.runInEnvironment(usual, "fleet", "status", "--context", "lab");
        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("contexts[0].kafka.bootstrapServer");
    }

    /** A log collector reads each line as JSON, so the failure is an event of the log and no other line. */
    @Test
    void aServiceThatLogsInJsonPrintsNoOtherLineIfNoBrokerIsReached() {
        try {
            CliResult cliResult = CliResult.runInEnvironment(
                    Map.of("FLOTILLA_BOOTSTRAP_SERVERS", NOBODY), "orchestrator", "--log-format", "json");

            assertThat(cliResult.exit()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(cliResult.all()).isEmpty();
        } finally {
            new LogSettings(LogFormat.TEXT, LogLevels.COMMAND).apply();
        }
    }

    @Test
    void problemOfALogOptionNamesTheOption() {
        CliResult cliResult = CliResult.runInEnvironment(
                Map.of("FLOTILLA_BOOTSTRAP_SERVERS", NOBODY, "FLOTILLA_LOG_FORMAT", "json"),
                "orchestrator",
                "--log-level",
                "loud");

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err())
                .contains("--log-level", "\"loud\"", "off, error, warn, info, debug or trace")
                .doesNotContain("FLOTILLA_LOG");
    }

    @Test
    void problemOfAnOptionNamesTheOption() {
        CliResult cliResult = CliResult.runInEnvironment(
                Map.of("FLOTILLA_BOOTSTRAP_SERVERS", NOBODY), "fleet", "status", "--bootstrap", "kafka.example:9092");

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err()).contains("kafka.example").doesNotContain("FLOTILLA_KAFKA");
    }

    @Test
    void aMissingSiteNamesItsOptionAndItsVariable() {
        CliResult cliResult =
                CliResult.runInEnvironment(Map.of("FLOTILLA_BOOTSTRAP_SERVERS", NOBODY), "management-watcher");

        assertThat(cliResult.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(cliResult.err()).contains("site must be given as --site, FLOTILLA_SITE or in the file");
    }

    @Test
    void completionScriptContainsTheKafkaOptions() {
        String script = CliResult.flotilla("completion", "bash").out();

        for (String word : Arrays.asList("orchestrator", "auditor", "accept-removal", "--site-in-flight", "explain")) {
            assertThat(script).contains(word);
        }
    }
}
