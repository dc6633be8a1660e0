package dev.flotilla.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {
    private record Tree(KafkaConfig kafka, HttpServerConfig server, int batch, boolean eager) {}

    private static final KafkaConfig.PropertyCheck CHECK = settings -> settings.containsKey("acks")
            ? List.of(new KafkaConfig.PropertyProblem("acks", "is set by Flotilla", "leave it out"))
            : List.of();

    private static final ConfigReader<Tree> READER =
            new ConfigReader<>(codec(), Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "kafka.bootstrapServers"));

    @TempDir
    private Path folder;

    private static JsonCodec<Tree> codec() {
        var tree = JsonObjectCodec.<Tree>of("tree", "A configuration.");
        var kafka = tree.required("kafka", KafkaConfig.codec(CHECK), "The connection to Kafka.", Tree::kafka);
        var server =
                tree.defaulted("server", HttpServerConfig.CODEC, HttpServerConfig.DEFAULT, "The server.", Tree::server);
        var batch = tree.defaulted("batch", ScalarCodecs.integer(1, 100), 10, "The batch size.", Tree::batch);
        var eager = tree.defaulted("eager", ScalarCodecs.FLAG, false, "Whether.", Tree::eager);
        return tree.build(v -> new Tree(v.get(kafka), v.get(server), v.get(batch), v.get(eager)));
    }

    private Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Tree readValid(String yaml, Map<String, String> environment) {
        return ((ConfigReadResult.ValidConfig<Tree>) READER.read(file("c.yaml", yaml), environment)).value();
    }

    private List<ConfigProblem> readInvalid(String yaml, Map<String, String> environment) {
        return ((ConfigReadResult.InvalidConfig<Tree>) READER.read(file("c.yaml", yaml), environment)).problems();
    }

    @Test
    void readsFileAndFillsInDefaults() {
        Tree tree = readValid(
                "kafka: {bootstrapServers: a:9092, client: {security.protocol: SSL, linger.ms: 5}}", Map.of());
        assertThat(tree.kafka().client())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("linger.ms", "5");
        assertThat(tree.server()).isEqualTo(HttpServerConfig.DEFAULT);
        assertThat(tree.batch()).isEqualTo(10);
    }

    @Test
    void environmentOverridesFileAndNeedsNoFile() {
        Map<String, String> environment = Map.of(
                "FLOTILLA_BOOTSTRAP_SERVERS", "b:1",
                "FLOTILLA_BATCH", "7",
                "FLOTILLA_EAGER", "true",
                "FLOTILLA_SERVER_LISTEN", "localhost:81");
        assertThat(readValid("batch: 3", environment))
                .isEqualTo(((ConfigReadResult.ValidConfig<Tree>) READER.read(null, environment)).value())
                .satisfies(tree -> {
                    assertThat(tree.kafka().bootstrapServers()).isEqualTo("b:1");
                    assertThat(tree.batch()).isEqualTo(7);
                    assertThat(tree.eager()).isTrue();
                    assertThat(tree.server().listen()).isEqualTo(new HostPort("localhost", 81));
                });
    }

    @Test
    void reportsAllProblemsAtOnceWithTheirLines() {
        List<ConfigProblem> problems = readInvalid("""
                kafka:
                  client: {acks: all}
                server:
                  listen: nowhere
                  tokenFil: x
                batch: 1000
                """, Map.of("FLOTILLA_EAGER", "perhaps", "FLOTILLA_BACTH", "4"));
        assertThat(problems)
                .extracting(ConfigProblem::line, ConfigProblem::path, ConfigProblem::value)
                .contains(
                        tuple(4, "server.listen", "nowhere"),
                        tuple(5, "server.tokenFil", "***"),
                        tuple(6, "batch", "1000"));
        assertThat(problems)
                .extracting(ConfigProblem::toString)
                .anySatisfy(text -> assertThat(text)
                        .startsWith("environment variable FLOTILLA_EAGER: eager \"perhaps\" must be true or false"));
        assertThat(problems)
                .extracting(ConfigProblem::toString)
                .anySatisfy(
                        text -> assertThat(text).contains("FLOTILLA_BACTH").contains("did you mean FLOTILLA_BATCH?"));
        assertThat(problems).extracting(ConfigProblem::path).contains("kafka.bootstrapServers");
        assertThat(problems).extracting(ConfigProblem::hint).contains("did you mean tokenFile?");
    }

    @Test
    void validatesClientSettingsWithTheApplicationsCheck() {
        assertThat(readInvalid("kafka: {bootstrapServers: a:1, client: {acks: 1}}", Map.of()))
                .extracting(ConfigProblem::path, ConfigProblem::problem)
                .containsExactly(tuple("kafka.client.acks", "is set by Flotilla"));
    }

    @Test
    void ignoresServiceVariablesOfKubernetes() {
        readValid(
                "kafka: {bootstrapServers: a:1}",
                Map.of(
                        "FLOTILLA_ORCHESTRATOR_SERVICE_HOST", "10.0.0.1",
                        "FLOTILLA_PORT_8080_TCP_ADDR", "10.0.0.1",
                        "FLOTILLA_SERVICE_PORT_HTTPS", "443",
                        "FLOTILLA_JAVA", "/jdk",
                        "PATH", "/bin"));
    }

    @Test
    void readsSecretsOnlyFromTheirFileAndNeverShowsThem() throws IOException {
        assertThat(readInvalid("kafka: {bootstrapServers: a:1, client: {sasl.jaas.config: hunter2}}", Map.of()))
                .hasSize(1)
                .noneSatisfy(problem -> assertThat(problem.toString()).contains("hunter2"));
        Path secrets = file("kafka.properties", "sasl.jaas.config=hunter2\nssl.keystore.password=swordfish\n");
        var read = (ConfigReadResult.ValidConfig<Tree>) READER.read(
                file("c.yaml", "kafka: {bootstrapServers: 'a:1', secretsFile: '" + secrets + "'}"), Map.of());
        assertThat(read.value().kafka().settings())
                .containsEntry("sasl.jaas.config", "hunter2")
                .containsEntry("bootstrap.servers", "a:1");
        assertThat(read.redacted()).doesNotContain("hunter2", "swordfish").contains("kafka.properties");
    }

    @Test
    void rejectsListenerOffLoopbackWithoutTlsOrAuthentication() {
        String kafka = "kafka: {bootstrapServers: a:1}\n";
        String pem = file("x.pem", "").toString();
        assertThat(readInvalid(kafka + "server: {listen: '0.0.0.0:80'}", Map.of()))
                .extracting(ConfigProblem::problem)
                .containsExactly(
                        "listens on 0.0.0.0:80, which other machines can reach, without tls",
                        "listens on 0.0.0.0:80, which other machines can reach, without authentication");
        String tls = "certFile: " + pem + ", keyFile: " + pem;
        assertThat(readInvalid(kafka + "server: {listen: '[::]:80', tls: {" + tls + "}}", Map.of()))
                .hasSize(1);
        readValid(kafka + "server: {listen: '[::]:80', tls: {" + tls + "}, tokenFile: " + pem + "}", Map.of());
        readValid(kafka + "server: {listen: 'a.b:80', tls: {" + tls + ", clientCaFile: " + pem + "}}", Map.of());
        for (String loopback : List.of("127.0.0.1:1", "127.9.9.9:0", "[::1]:8080", "localhost:65535")) {
            readValid(kafka + "server: {listen: '" + loopback + "'}", Map.of());
        }
        for (String wrong : List.of("", ":80", "127.0.0.1", "a:65536", "a:-1", "::1:80", "a b:1", "[x]:1")) {
            assertThat(readInvalid(kafka + "server: {listen: '" + wrong + "'}", Map.of()))
                    .as(wrong)
                    .hasSize(1);
        }
    }

    @Test
    void reportsMissingFileWithItsName() {
        var read = (ConfigReadResult.InvalidConfig<Tree>) READER.read(folder.resolve("none.yaml"), Map.of());
        assertThat(read.report()).contains("none.yaml").contains("does not exist");
        assertThat(readInvalid("kafka: {bootstrapServers: a:1}\nserver: {tokenFile: /does/not/exist}", Map.of()))
                .extracting(ConfigProblem::path, ConfigProblem::problem)
                .containsExactly(tuple("server.tokenFile", "does not exist"));
    }
}
