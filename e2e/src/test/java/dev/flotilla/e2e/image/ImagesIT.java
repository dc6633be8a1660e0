package dev.flotilla.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.EmbeddedSites;
import dev.flotilla.testkit.sites.SitesSpec;
import dev.flotilla.testkit.tables.TopicCreator;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Builds all images with {@code deploy/images/build}, and runs each from its own files: as a user without rights, with a
 * root file system that cannot be written.
 */
@Tag("nightly")
@EnabledIf(value = "rootCanMount", disabledReason = "SKIPPED: images cannot be run; standard error says why")
class ImagesIT {
    private static final Path REPOSITORY = repository();
    private static final String CLI = "cli";
    private static final List<String> PROCESSES = List.of(
            "orchestrator", "node-worker", "management-watcher", "cluster-api-extension", "node-upgrader", "auditor");
    private static final Pattern BROKER_OR_TEST_CODE = Pattern.compile(
            "kafka_.*|kafka-(?!clients).*|scala-.*|log4j-.*|junit-.*|flotilla-(testkit|bench|e2e|rules)-.*");
    private static final SitesSpec ONE_SITE = new SitesSpec(1, 1, 3, 0, 1, 600);
    private static final SiteId SITE = new SiteId("site-1");
    private static final String KUBECONFIG = "/tmp/" + EmbeddedSites.kubeconfig(SITE.name());

    private static final Map<String, UnpackedImage> IMAGES = new TreeMap<>();

    @TempDir
    private static Path folder;

    private static LocalKafka kafka;
    private static String printed;

    static boolean rootCanMount() {
        List<String> problems = new ArrayList<>();
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            problems.add("this is not Linux");
        } else if (Programs.runToExit(Map.of(), List.of("sh", "-c", "test $(id -u) = 0"))
                        .exit()
                != 0) {
            problems.add("only root can mount and change the root");
        } else {
            Programs.ProgramResult mounts = Programs.runToExit(
                    Map.of(),
                    List.of(
                            "unshare",
                            "--mount",
                            "sh",
                            "-c",
                            "mount -t tmpfs tmpfs /tmp && command -v setpriv chroot tar gzip"));
            if (mounts.exit() != 0) {
                problems.add("no tmpfs in a mount namespace of its own, or setpriv, chroot, tar or gzip is missing: "
                        + mounts.output());
            }
        }
        problems.forEach(problem -> System.err.println("images cannot be run: " + problem));
        return problems.isEmpty();
    }

    @BeforeAll
    static void build() throws Exception {
        Programs.ProgramResult built = Programs.runToExit(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                List.of(
                        REPOSITORY.resolve("deploy/images/build").toString(),
                        "--output",
                        folder.resolve("tars").toString()));
        assertThat(built.exit()).as(built.output()).isZero();
        printed = built.output();
        for (String role : roles().toList()) {
            IMAGES.put(
                    role, UnpackedImage.unpack(folder.resolve("tars/flotilla-" + role + ".tar"), folder.resolve(role)));
        }
        kafka = LocalKafka.start();
        TopicCreator.createTopics(kafka.bootstrap(), List.of(SITE));
    }

    @AfterAll
    static void stopKafka() {
        if (kafka != null) {
            kafka.close();
        }
    }

    @ParameterizedTest
    @MethodSource("roles")
    void hasNeitherABrokerNorTestCode(String role) throws IOException {
        assertThat(image(role).jars())
                .isNotEmpty()
                .noneMatch(jar -> BROKER_OR_TEST_CODE.matcher(jar).matches())
                .satisfies(jars -> {
                    if (!role.equals(CLI)) {
                        assertThat(jars).noneMatch(jar -> jar.startsWith("flotilla-simulator-"));
                    }
                });
        assertThat(printed).contains("| " + role + " | " + image(role).jars().size() + " |");
    }

    @ParameterizedTest
    @MethodSource("roles")
    void isAnImageOfAUserWithoutRights(String role) throws IOException {
        JsonObject config = image(role).layout().config().getJsonObject("config");
        JsonObject labels = config.getJsonObject("Labels");

        assertThat(config.getString("User")).isEqualTo("65532:65532");
        assertThat(labels.getString("org.opencontainers.image.title")).isEqualTo("flotilla-" + role);
        assertThat(labels.getString("org.opencontainers.image.licenses")).isEqualTo("Apache-2.0");
        assertThat(labels.getString("org.opencontainers.image.revision")).isNotBlank();
        assertThat(image(role).layout().dockerManifest().getJsonArray("Layers"))
                .hasSameSizeAs(image(role).layout().layers());
        assertThat(image(role)
                        .layout()
                        .dockerManifest()
                        .getJsonArray("RepoTags")
                        .getString(0))
                .startsWith("docker.io/library/flotilla-" + role + ":");
    }

    @ParameterizedTest
    @MethodSource("roles")
    void listsItsJarsInAnSbom(String role) throws IOException {
        JsonObject sbom = new JsonObject(Files.readString(image(role).root().resolve("opt/flotilla/sbom.json")));

        assertThat(sbom.getJsonArray("components").stream()
                        .map(JsonObject.class::cast)
                        .map(each -> each.getString("name") + "-" + each.getString("version") + ".jar"))
                .containsExactlyInAnyOrderElementsOf(image(role).jars());
    }

    @ParameterizedTest
    @MethodSource("roles")
    void showsItsHelp(String role) throws IOException {
        Programs.ProgramResult help =
                role.equals(CLI) ? image(role).run("--help") : image(role).run(role, "--help");

        assertThat(help.exit()).as(help.output()).isZero();
        assertThat(help.output()).contains(role.equals(CLI) ? "campaign" : role);
    }

    @ParameterizedTest
    @CsvSource({
        "orchestrator, no Kafka brokers are configured",
        "node-worker, no Kafka brokers are configured",
        "management-watcher, no Kafka brokers are configured",
        "cluster-api-extension, certFile",
        "node-upgrader, kubeconfigFile \"/tmp/nowhere\" does not exist",
        "auditor, no broker is given"
    })
    void saysWhichSettingIsMissing(String role, String problem) throws IOException {
        Programs.ProgramResult started = role.contains("upgrader") || role.contains("extension")
                ? image(role).run(role, "--kubeconfig", "/tmp/nowhere", "--listen", "0.0.0.0:8443")
                : image(role).run(role);

        assertThat(started.output()).contains(problem);
        assertThat(started.exit()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orchestrator", "node-worker", "management-watcher", "auditor", CLI})
    void readsAndWritesEachCompressionOfKafka(String role) throws Exception {
        Path probe = Files.createTempDirectory(folder, "probe");
        String name = CompressionProbe.class.getName();
        Path file = Path.of(name.replace('.', '/') + ".class");
        Files.createDirectories(probe.resolve(file).getParent());
        Files.copy(
                Path.of(CompressionProbe.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI())
                        .resolve(file),
                probe.resolve(file));

        Programs.ProgramResult tried = image(role).runClass(probe, name, kafka.bootstrap(), "compression-of-" + role);

        assertThat(tried.output())
                .contains("none as it is", "gzip compressed", "snappy compressed", "lz4 compressed", "zstd compressed");
        assertThat(tried.exit()).isZero();
    }

    @Test
    void processesOfASiteBecomeReady() throws IOException {
        Path site = Files.createDirectory(folder.resolve("site"));
        EmbeddedSites.start(ONE_SITE, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), site, false);
        try (ChildProcess orchestrator = start("orchestrator", site, "--bootstrap", kafka.bootstrap());
                ChildProcess watcher = startOnKafkaAndSite("management-watcher", site);
                ChildProcess worker = startOnKafkaAndSite("node-worker", site);
                ChildProcess upgrader = start("node-upgrader", site, "--kubeconfig", KUBECONFIG)) {
            for (ChildProcess process : List.of(orchestrator, watcher, worker, upgrader)) {
                process.awaitReady(() -> process.lastLogLines(Integer.MAX_VALUE).contains(" ready at http"));
                process.stop();
            }
        }
        Programs.ProgramResult audited =
                image("auditor").run("auditor", "--bootstrap", kafka.bootstrap(), "--until-quiet", "--timeout", "20");
        assertThat(audited.exit()).as(audited.output()).isZero();
        Programs.ProgramResult status = image(CLI).run("site", "list", "--bootstrap", kafka.bootstrap());
        assertThat(status.exit()).as(status.output()).isZero();
        assertThat(status.output()).contains(SITE.name());
    }

    private static ChildProcess startOnKafkaAndSite(String role, Path site) throws IOException {
        return start(role, site, "--bootstrap", kafka.bootstrap(), "--site", SITE.name(), "--kubeconfig", KUBECONFIG);
    }

    private static ChildProcess start(String role, Path site, String... options) throws IOException {
        return image(role)
                .start(
                        role,
                        site,
                        Stream.concat(Stream.of(role), Stream.of(options)).toArray(String[]::new));
    }

    @Test
    void imageForOperatorsSaysWhatItLeavesOut() throws IOException {
        Programs.ProgramResult demo = image(CLI).run("demo", "--machines", "3");

        assertThat(demo.output()).contains("flotilla demo --machines 3: this image does not contain the command.");
        assertThat(demo.exit()).isEqualTo(2);
    }

    @Test
    void imageOfAProcessHasNoOtherCommand() throws IOException {
        Programs.ProgramResult campaign = image("node-worker").run("campaign", "list");

        assertThat(campaign.output()).contains("flotilla campaign list: this image does not contain the command.");
        assertThat(campaign.exit()).isEqualTo(2);
    }

    static Stream<String> roles() {
        return Stream.concat(PROCESSES.stream(), Stream.of(CLI));
    }

    private static UnpackedImage image(String role) {
        UnpackedImage image = IMAGES.get(role);
        assertThat(image).as(role).isNotNull();
        return image;
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("deploy/images/build"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
