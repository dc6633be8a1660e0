package dev.flotilla.bench.harness;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;

/** A broker and client processes, in a folder that is deleted at the end. */
public final class KafkaTestBed implements AutoCloseable {
    private static final short ONE = 1;

    private final Path folder;
    private final BrokerProcess broker;
    private final List<ChildProcess> children = new CopyOnWriteArrayList<>();
    private final Thread shutdownHook = new Thread(this::end, "end of the test bed");

    private KafkaTestBed(Path folder, BrokerProcess broker) {
        this.folder = folder;
        this.broker = broker;
    }

    /** Starts a broker. */
    public static KafkaTestBed start() {
        try {
            Path folder = Files.createTempDirectory("flotilla-bench-");
            KafkaTestBed kafkaTestBed = new KafkaTestBed(
                    folder, BrokerProcess.singleBroker(folder, Map.of("log.retention.check.interval.ms", "2000")));
            Runtime.getRuntime().addShutdownHook(kafkaTestBed.shutdownHook);
            kafkaTestBed.broker.start();
            return kafkaTestBed;
        } catch (IOException e) {
            throw new UncheckedIOException("creating a folder for a broker", e);
        }
    }

    public String bootstrap() {
        return broker.bootstrap();
    }

    /** Folder that is deleted when this is closed. */
    public Path folder() {
        return folder;
    }

    /** Creates the topics of a fleet with these sites, as in the catalogue. */
    public void createTables(Collection<SiteId> sites) throws InterruptedException {
        TopicCreator.createTopics(bootstrap(), sites);
    }

    /** Creates a topic that is not a table, with short retention. */
    public void createTopic(String name, int partitions) throws InterruptedException {
        NewTopic topic = new NewTopic(name, partitions, ONE)
                .configs(new LinkedHashMap<>(Map.of(
                        "message.timestamp.type",
                        "LogAppendTime",
                        "segment.bytes",
                        "67108864",
                        "retention.bytes",
                        "268435456")));
        try (Admin admin = admin()) {
            AdminAnswers.await(
                    "creating topic " + name, admin.createTopics(List.of(topic)).all());
        }
    }

    public Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap()));
    }

    public <T> T await(String what, KafkaFuture<T> answer) throws InterruptedException {
        return AdminAnswers.await(what, answer);
    }

    /** Starts an orchestrator as the command does, with the JVM's defaults except for its heap. */
    public ChildProcess orchestrator(String name, String heap) throws InterruptedException {
        ChildProcess child = launch(
                name,
                List.of("-Xmx" + heap, "-XX:-UsePerfData"),
                "dev.flotilla.orchestrator.Main",
                "--bootstrap",
                bootstrap(),
                "--instance",
                name);
        child.awaitLine("http://");
        return child;
    }

    /** Starts a main class of this class path. */
    public ChildProcess launch(String name, List<String> flags, String main, String... arguments) {
        ChildProcess child =
                ChildProcess.startJvm(name, folder, ComponentClassPaths.own(), flags, main, List.of(arguments));
        children.add(child);
        return child;
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
        end();
    }

    /** Ends all processes, also when the benchmark is interrupted. */
    private void end() {
        children.forEach(ChildProcess::kill);
        broker.kill();
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Files that cannot be deleted stay in the folder for temporary files.
        }
    }
}
