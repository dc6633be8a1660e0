package dev.flotilla.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.follow.AuditorKafkaSettings;
import dev.flotilla.auditor.program.AuditorOptions;
import dev.flotilla.managementwatcher.config.ManagementWatcherConfig;
import dev.flotilla.nodeworker.config.NodeWorkerConfig;
import dev.flotilla.orchestrator.config.OrchestratorConfig;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.testkit.process.RepositoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the configurations of {@code examples/config} as the processes and commands do that they are for. */
class ExampleConfigTest {
    private static final Path EXAMPLES = RepositoryFolder.find().resolve("examples/config");

    /** The folder of all files that the examples name. */
    private static final String INSTALLED = "/etc/flotilla";

    private static final String BROKERS = "kafka-1.example:9093,kafka-2.example:9093,kafka-3.example:9093";

    @TempDir
    private Path folder;

    @BeforeEach
    void createFilesThatTheExamplesName() throws IOException {
        Path kafka = Files.createDirectory(folder.resolve("kafka"));
        Files.writeString(kafka.resolve("ca.pem"), "");
        for (String process : List.of("management-watcher", "node-worker")) {
            Files.writeString(folder.resolve(process + ".kubeconfig"), "");
        }
        for (String user :
                List.of("administrator", "flotilla-orchestrator", "flotilla-watcher-east", "flotilla-worker-east")) {
            Files.writeString(
                    kafka.resolve(user + ".properties"), "sasl.username=" + user + "\nsasl.password=a-password\n");
        }
    }

    @Test
    void everyExampleIsRead() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "contexts.yaml",
                            "orchestrator.yaml",
                            "management-watcher.yaml",
                            "node-worker.yaml",
                            "client.properties");
        }
    }

    @Test
    void orchestratorReadsItsExample() throws IOException {
        readConfig(
                "orchestrator.yaml",
                OrchestratorConfig.reader(KafkaConnectionConfig::settingDefects),
                OrchestratorConfig::kafka,
                "flotilla-orchestrator");
    }

    @Test
    void watcherReadsItsExample() throws IOException {
        readConfig(
                "management-watcher.yaml",
                ManagementWatcherConfig.reader(KafkaConnectionConfig::settingDefects),
                ManagementWatcherConfig::kafka,
                "flotilla-watcher-east");
    }

    @Test
    void workerReadsItsExample() throws IOException {
        readConfig(
                "node-worker.yaml",
                NodeWorkerConfig.reader(KafkaConnectionConfig::settingDefects),
                NodeWorkerConfig::kafka,
                "flotilla-worker-east");
    }

    @Test
    void commandsReadTheContexts() throws IOException {
        Path contexts = install("contexts.yaml");

        assertThat(KafkaConnectionConfig.read(null, null, Map.of("FLOTILLA_CONTEXTS", contexts.toString())))
                .isInstanceOfSatisfying(
                        KafkaConnectionConfig.ResolvedKafkaSettings.class,
                        resolved -> assertThat(
                                        String.join(",", resolved.settings().bootstrap()))
                                .isEqualTo(BROKERS));
    }

    @Test
    void commandsReadTheContextOfTheInstallPage() throws IOException {
        String page = Files.readString(RepositoryFolder.find().resolve("docs/install.md"));
        int begin = page.indexOf("currentContext: live");
        String example = page.substring(page.lastIndexOf('\n', begin) + 1, page.indexOf("```", begin))
                .stripIndent()
                .replace("/home/ada/.config/flotilla", folder.toString());
        Files.writeString(folder.resolve("ca.crt"), "");
        Files.writeString(folder.resolve("policy-editor.pem"), "");
        Path contexts = Files.writeString(folder.resolve("config.yaml"), example);

        assertThat(KafkaConnectionConfig.read(null, null, Map.of("FLOTILLA_CONTEXTS", contexts.toString())))
                .isInstanceOfSatisfying(
                        KafkaConnectionConfig.ResolvedKafkaSettings.class,
                        resolved -> assertThat(
                                        String.join(",", resolved.settings().bootstrap()))
                                .isEqualTo("kafka.example:9094"));
    }

    @Test
    void auditorReadsItsExampleWithItsCredentials() throws IOException {
        Path file = install("client.properties");
        Files.writeString(file, Files.readString(file) + "sasl.user=flotilla-auditor\nsasl.password=a-password\n");

        AuditorOptions.OptionsParser parser = new AuditorOptions.OptionsParser(
                List.of("--bootstrap", BROKERS, "--config", file.toString()), Map.of());

        assertThat(parser.problems()).isEmpty();
        AuditorOptions options = parser.options();
        assertThat(new AuditorKafkaSettings(options.bootstrap(), options.client()).problems())
                .isEmpty();
        assertThat(options.client()).containsEntry("security.protocol", "SASL_SSL");
    }

    private <C> void readConfig(String file, ConfigReader<C> reader, Function<C, KafkaConfig> kafka, String user)
            throws IOException {
        switch (reader.read(install(file), Map.of())) {
            case ConfigReadResult.InvalidConfig<C> invalid ->
                assertThat(invalid.report()).isEmpty();
            case ConfigReadResult.ValidConfig<C> valid ->
                assertThat(kafka.apply(valid.value()).settings())
                        .containsEntry(KafkaConfig.BOOTSTRAP_SERVERS, BROKERS)
                        .containsEntry("sasl.username", user);
        }
    }

    /** Copies an example into the folder that has the files which it names. */
    private Path install(String file) throws IOException {
        String text = Files.readString(EXAMPLES.resolve(file));
        assertThat(text).contains(INSTALLED);
        return Files.writeString(folder.resolve(file), text.replace(INSTALLED, folder.toString()));
    }
}
