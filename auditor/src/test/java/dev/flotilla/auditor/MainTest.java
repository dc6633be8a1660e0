package dev.flotilla.auditor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.program.AuditorOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Main.run(
                List.of(args),
                Map.of(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void helpShowsExamples() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("auditor --bootstrap localhost:9092", "Exit codes");
    }

    /** As an image of all processes is started. */
    @Test
    void firstArgumentMayNameTheProcess() {
        assertThat(run("auditor", "--until-seq", "soon")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--until-seq is \"soon\"")
                .doesNotContain("\"auditor\"");
        assertThat(run("--until-seq", "1", "auditor")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("\"auditor\" is no option");
    }

    @Test
    void reportsAllProblemsAtOnce() {
        assertThat(run(
                        "--listen",
                        "here",
                        "--until-seq",
                        "soon",
                        "--log-level",
                        "loud",
                        "--log-format",
                        "xml",
                        "--colour",
                        "--json"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(
                        "--listen is \"here\"",
                        "--until-seq is \"soon\"",
                        "--log-level (FLOTILLA_LOG_LEVEL) is \"loud\"",
                        "--log-format (FLOTILLA_LOG_FORMAT) is \"xml\"",
                        "\"--colour\" is no option",
                        "--json needs a value",
                        "no broker is given");
    }

    @Test
    void requiresTlsAndATokenOffTheLoopback() {
        assertThat(run("--bootstrap", "localhost:1", "--listen", "0.0.0.0:9404", "--tls-cert", "tls.crt"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--tls-cert and --tls-key go together", "without a token: give --token-file");
    }

    @Test
    void rejectsSettingsThatOperatorsMayNotSet(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("client.properties"),
                "group.id=x\nsecurity.protocol=SASL_SSL\nsasl.user=ada\nsasl.mechanism=GSSAPI\n");
        assertThat(run("--bootstrap", "localhost:1", "--config", file.toString()))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("\"group.id\"", "go together");
    }

    @Test
    void reportsAMissingBroker() {
        assertThat(run("--bootstrap", "localhost:1", "--listen", "127.0.0.1:0", "--timeout", "1"))
                .isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("auditor: no broker at localhost:1 answers (")
                .contains("check that a broker runs and listens there", "--config");
    }

    @Test
    void waitsShorterForBrokersAtTheStartThanForRecords() {
        AuditorOptions usual = options("--bootstrap", "localhost:1");
        assertThat(usual.startTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(usual.timeout()).isEqualTo(Duration.ofSeconds(30));
        AuditorOptions patient = options("--bootstrap", "localhost:1", "--timeout", "300");
        assertThat(patient.startTimeout()).isEqualTo(Duration.ofSeconds(300));
        assertThat(patient.timeout()).isEqualTo(Duration.ofSeconds(300));
    }

    private static AuditorOptions options(String... args) {
        return new AuditorOptions.OptionsParser(List.of(args), Map.of()).options();
    }
}
