package dev.flotilla.testkit.kafka;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** One real broker and controller in this JVM. */
final class InProcessBroker implements AutoCloseable {
    /** The cluster id of all clusters: the brokers of one quorum must have the same, and two quorums never connect. */
    private static final String CLUSTER = new Uuid(0x666c6f74696c6c61L, 0x746573746b697400L).toString();

    private final KafkaRaftServer server;

    private InProcessBroker(KafkaRaftServer server) {
        this.server = server;
    }

    /** Starts a broker that serves when this method returns; the first of three returns when the second has started. */
    static InProcessBroker start(Map<String, String> properties, KafkaOptions options) {
        format(properties, options);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
        return new InProcessBroker(server);
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static void format(Map<String, String> properties, KafkaOptions options) {
        String folder = properties.getOrDefault("log.dirs", "");
        if (Files.exists(Path.of(folder, "meta.properties"))) {
            return;
        }
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setClusterId(CLUSTER)
                .setNodeId(Integer.parseInt(properties.getOrDefault("node.id", "1")))
                .setDirectories(List.of(folder))
                .setMetadataLogDirectory(folder)
                .setControllerListenerName(BrokerProperties.CONTROLLER)
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setScramArguments(scram(options.scramUsers()));
        options.features().forEach(formatter::setFeatureLevel);
        try {
            formatter.run();
        } catch (Exception e) {
            throw new IllegalStateException("cannot format the data folder " + folder, e);
        }
    }

    private static List<String> scram(Map<String, String> users) {
        return users.entrySet().stream()
                .map(user -> "SCRAM-SHA-512=[name=" + user.getKey() + ",password=" + user.getValue() + "]")
                .toList();
    }
}
