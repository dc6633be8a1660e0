package dev.flotilla.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that creates users of SCRAM writes is what the components read. */
class ScramUserScriptTest {
    private static final Path SCRIPT = Path.of("../deploy/kafka/users.sh");

    @TempDir
    Path folder;

    @Test
    void fileOfAComponentIsAcceptedAsItsSecretsFile() throws Exception {
        Map<String, String> given = run("orchestrator");

        given.put("bootstrap.servers", "kafka-0.example:9093");
        given.put("security.protocol", "SASL_SSL");
        given.put("sasl.mechanism", "SCRAM-SHA-512");
        assertThat(KafkaClientSettings.parse(given)).isInstanceOf(KafkaClientSettings.ValidSettings.class);
        assertThat(given).containsEntry("sasl.username", "flotilla-orchestrator");
    }

    /** The auditor shares no code with this module. */
    @Test
    void fileOfTheAuditorHasItsNameForTheUser() throws Exception {
        assertThat(run("auditor")).containsOnlyKeys("sasl.user", "sasl.password");
    }

    private Map<String, String> run(String component) throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder(
                        "bash", SCRIPT.toAbsolutePath().toString(), folder.toString(), component)
                .redirectErrorStream(true);
        script.environment().put("KAFKA_CONFIGS", "true");
        Process process = script.start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        Properties properties = new Properties();
        properties.load(new StringReader(Files.readString(folder.resolve("flotilla-" + component + ".properties"))));
        Map<String, String> given = new TreeMap<>();
        properties.forEach((key, value) -> given.put((String) key, (String) value));
        return given;
    }
}
