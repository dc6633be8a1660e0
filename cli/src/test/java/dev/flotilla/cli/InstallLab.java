package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.AclGranter;
import dev.flotilla.kafka.KafkaAclPrincipal;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.helm.HelmBinary;
import dev.flotilla.testkit.kafka.KafkaImage;
import dev.flotilla.testkit.kube.KubeBinaries;
import dev.flotilla.testkit.node.KubeadmCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What somebody has who begins to install Flotilla: a real cluster of kubeadm, a real Kafka in it, certificates, and a shell with {@code
 * flotilla}, {@code helm} and {@code kubectl}. Each command and its output, with its time, goes to {@code transcript.txt}.
 */
final class InstallLab implements AutoCloseable {
    /** The control plane, which runs workloads too, and a worker. */
    static final List<String> NODES = List.of("node1", "node2");

    /** From this machine; pods reach the broker by its Service. */
    private static final String BROKER = "10.189.0.11:9094";

    private static final String TOOL = "#!/bin/sh\nexec '%s' \"$@\"\n";
    private static final String FLOTILLA =
            "#!/bin/sh\nexec '%s' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' "
                    + "dev.flotilla.cli.Main \"$@\"\n";

    private static final String KAFKA = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: kafka, namespace: kafka}
        data:
          server.properties: |
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:9095
            listeners=INTERNAL://:9093,EXTERNAL://:9094,CONTROLLER://127.0.0.1:9095
            advertised.listeners=INTERNAL://kafka.kafka.svc:9093,EXTERNAL://%s
            listener.security.protocol.map=INTERNAL:SSL,EXTERNAL:SSL,CONTROLLER:PLAINTEXT
            inter.broker.listener.name=INTERNAL
            controller.listener.names=CONTROLLER
            ssl.keystore.type=PEM
            ssl.keystore.location=/etc/kafka/tls/keystore.pem
            ssl.truststore.type=PEM
            ssl.truststore.location=/etc/kafka/tls/ca.pem
            ssl.client.auth=required
            ssl.principal.mapping.rules=RULE:^CN=([^,]+).*$/$1/,DEFAULT
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:kafka;User:admin;User:ANONYMOUS
            log.dirs=/data
            auto.create.topics.enable=false
            offsets.topic.replication.factor=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            transaction.max.timeout.ms=60000
            group.initial.rebalance.delay.ms=0
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: kafka, namespace: kafka}
        spec: {selector: {app: kafka}, ports: [{port: 9093}]}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: kafka, namespace: kafka}
        spec:
          serviceName: kafka
          selector: {matchLabels: {app: kafka}}
          template:
            metadata: {labels: {app: kafka}}
            spec:
              enableServiceLinks: false
              nodeSelector: {kubernetes.io/hostname: node1}
              initContainers:
                - name: format
                  image: flotilla.test/kafka:1
                  args: [kafka.tools.StorageTool, format, --ignore-formatted, --cluster-id, Zm90aWxsYS1sYWItMDAwMQ, --config, /etc/kafka/server.properties]
                  volumeMounts: &mounts
                    - {name: config, mountPath: /etc/kafka/server.properties, subPath: server.properties}
                    - {name: tls, mountPath: /etc/kafka/tls}
                    - {name: data, mountPath: /data}
              containers:
                - name: kafka
                  image: flotilla.test/kafka:1
                  args: [kafka.Kafka, /etc/kafka/server.properties]
                  ports: [{containerPort: 9093}, {containerPort: 9094, hostPort: 9094}]
                  readinessProbe: {tcpSocket: {port: 9093}, periodSeconds: 1}
                  volumeMounts: *mounts
              volumes:
                - {name: config, configMap: {name: kafka}}
                - {name: tls, secret: {secretName: kafka-tls}}
                - {name: data, emptyDir: {}}
        """.formatted(BROKER);

    /** In the pod of the broker. */
    private static final String CLIENT = """
        security.protocol=SSL
        ssl.keystore.type=PEM
        ssl.keystore.location=/etc/kafka/tls/keystore.pem
        ssl.truststore.type=PEM
        ssl.truststore.location=/etc/kafka/tls/ca.pem
        """;

    private static final String CONTEXT = """
        currentContext: lab
        contexts:
          - name: lab
            kafka:
              bootstrapServers: %s
              client:
                security.protocol: SSL
                ssl.truststore.type: PEM
                ssl.truststore.location: %s
                ssl.keystore.type: PEM
                ssl.keystore.location: %s
        """;

    private final Path folder;
    private final KubeadmCluster cluster;
    private final CertificateAuthority authority = CertificateAuthority.create("lab");
    private final Path transcript;
    private final long since = System.nanoTime();

    private InstallLab(Path folder, KubeadmCluster cluster) throws IOException {
        this.folder = folder;
        this.cluster = cluster;
        this.transcript = Files.writeString(folder.resolve("transcript.txt"), "");
    }

    /** Builds the images, starts the cluster, imports the images by the commands of docs/images.md, and starts Kafka. */
    static InstallLab start(Path folder) throws Exception {
        Path images = Files.createDirectories(folder.resolve("images"));
        buildImages(images);
        KafkaImage.write(images.resolve("kafka.tar"));
        InstallLab lab = new InstallLab(folder, KubeadmCluster.start(KubeadmCluster.FIRST_VERSION, 1, 1));
        try {
            lab.importImages(images);
            lab.writeTools();
            lab.startKafka();
            return lab;
        } catch (RuntimeException | Error | IOException failure) {
            lab.close();
            throw failure;
        }
    }

    private static void buildImages(Path folder) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        CliResult.path("deploy/images/build"), "--output", folder.toString())
                .directory(CliResult.ROOT.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("deploy/images/build: %s", said).isZero();
    }

    private void importImages(Path images) throws IOException {
        String commands = Files.readString(CliResult.ROOT.resolve("docs/images.md"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("sha256sum -c ") || line.startsWith("for tar in flotilla-"))
                .collect(Collectors.joining(" && "));
        assertThat(commands).contains("ctr -n k8s.io images import");
        List<Path> tars;
        try (Stream<Path> files = Files.list(images)) {
            tars = files.toList();
        }
        for (String node : NODES) {
            cluster.run(node, "mkdir", "-p", "/var/lib/images");
            tars.forEach(tar -> cluster.copyTo(node, tar, "/var/lib/images/" + tar.getFileName()));
            note("$ " + commands + "   (on " + node + ")");
            note(cluster.run(node, "sh", "-c", "cd /var/lib/images && " + commands));
        }
        cluster.run(NODES.getFirst(), "ctr", "-n", "k8s.io", "images", "import", "/var/lib/images/kafka.tar");
    }

    /** A folder with what an operator has: the programs, the repository's files, and the settings of Kafka. */
    private void writeTools() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        script(
                bin.resolve("helm"),
                TOOL.formatted(HelmBinary.find().orElseThrow().program()));
        script(
                bin.resolve("kubectl"),
                TOOL.formatted(KubeBinaries.find().orElseThrow().kubectl()));
        script(
                bin.resolve("flotilla"),
                FLOTILLA.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("java.class.path")));
        for (String name : List.of("deploy", "examples")) {
            Files.createSymbolicLink(folder.resolve(name), CliResult.ROOT.resolve(name));
        }
        for (String name : List.of("east.kubeconfig", "blue.kubeconfig")) {
            Files.copy(cluster.kubeconfig(), folder.resolve(name));
        }
        write("ca.crt", authority.certificate());
        Path admin = write("admin.pem", keystore("admin", "admin"));
        Files.createDirectories(folder.resolve(".config/flotilla"));
        write(".config/flotilla/config.yaml", CONTEXT.formatted(BROKER, folder.resolve("ca.crt"), admin));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void startKafka() throws IOException {
        write("kafka.yaml", KAFKA);
        write("kafka.pem", keystore("kafka", "kafka.kafka.svc", "localhost", "10.189.0.11"));
        run("kubectl create namespace kafka");
        write("client.properties", CLIENT);
        run(
                "kubectl -n kafka create secret generic kafka-tls --from-file=ca.pem=ca.crt --from-file=keystore.pem=kafka.pem"
                        + " --from-file=client.properties");
        run("kubectl apply -f kafka.yaml");
        run("kubectl -n kafka rollout status statefulset/kafka --timeout=300s");
    }

    private String keystore(String name, String... addresses) {
        KeyAndCertificate identity = authority.issueServer(name, List.of(addresses));
        return identity.key() + identity.certificate();
    }

    /** Issues what a process needs: a certificate for its Service, and one as a client of Kafka. */
    void issueCertificates(String process, String principal, String... moreNames) throws IOException {
        List<String> names = new ArrayList<>(List.of("flotilla-" + process + ".flotilla.svc"));
        names.addAll(List.of(moreNames));
        KeyAndCertificate served = authority.issueServer(process, names);
        write(process + ".crt", served.certificate());
        write(process + ".key", served.key());
        write(process + "-kafka.pem", keystore(principal, principal));
    }

    /** Grants the campaign controller its rights, as deploy/kafka/acls.sh does. */
    void grantCampaignController() {
        note("$ deploy/kafka/acls.sh fleet   (its lines of the campaign controller)");
        try (AclGranter granter = AclGranter.connect(administrator(), Duration.ofMinutes(1))) {
            granter.grant(List.of(new KafkaAclPrincipal.CampaignController()));
        }
    }

    /** Has the broker compress all records of topics that do not say otherwise. */
    void compressRecords(String codec) {
        run("kubectl -n kafka exec kafka-0 -- /opt/java/bin/java -cp '/opt/kafka/lib/*' kafka.admin.ConfigCommand"
                + " --bootstrap-server kafka.kafka.svc:9093 --command-config /etc/kafka/tls/client.properties"
                + " --alter --entity-type brokers --entity-default --add-config compression.type=" + codec);
    }

    private KafkaClientSettings administrator() {
        return switch (KafkaClientSettings.parse(clientSettings())) {
            case KafkaClientSettings.ValidSettings valid -> valid.settings();
            case KafkaClientSettings.InvalidSettings invalid ->
                throw new IllegalStateException(invalid.problems().toString());
        };
    }

    private Map<String, String> clientSettings() {
        return Map.of(
                "bootstrap.servers",
                BROKER,
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                folder.resolve("ca.crt").toString(),
                "ssl.keystore.type",
                "PEM",
                "ssl.keystore.location",
                folder.resolve("admin.pem").toString());
    }

    /** The authority of all certificates, PEM. */
    String authority() {
        return authority.certificate();
    }

    KubeadmCluster cluster() {
        return cluster;
    }

    Path write(String file, String text) throws IOException {
        return Files.writeString(folder.resolve(file), text);
    }

    /** Runs a command line of a shell, which must succeed. Returns what it printed. */
    String run(String command) {
        CliResult said = runToEnd(command);
        assertThat(said.exit()).as("%s: %s", command, said.out()).isZero();
        return said.out();
    }

    /** Runs a command line of a shell. */
    CliResult runToEnd(String command) {
        note("$ " + command);
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", "-o", "pipefail", "-c", command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true);
            Map<String, String> environment = builder.environment();
            environment.put("PATH", folder.resolve("bin") + File.pathSeparator + environment.get("PATH"));
            environment.put("HOME", folder.toString());
            environment.put("KUBECONFIG", cluster.kubeconfig().toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            CliResult said = new CliResult(process.waitFor(), out, "");
            note(said.out() + (said.exit() == 0 ? "" : "exit code " + said.exit()));
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void note(String text) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
        String lines = text.strip().indent(8);
        String entry = text.startsWith("$ ") ? "%5d s %s%n".formatted(seconds, text) : lines;
        try {
            Files.writeString(transcript, entry, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
