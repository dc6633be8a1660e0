package dev.flotilla.e2e.arena;

import com.github.dockerjava.api.DockerClient;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kafka.KafkaImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.IsRunningStartupCheckStrategy;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/** A broker in a container, which can be killed and started again with its data. */
public final class BrokerContainer implements AutoCloseable {
    private static final String CONFIG = "/etc/kafka/server.properties";
    private static final int PORT = 9092;

    /** The published port is another one inside the container, so the broker reaches itself by a listener of its own. */
    private static final String PROPERTIES = """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:9095
        listeners=PLAINTEXT://:%d,INTERNAL://127.0.0.1:9094,CONTROLLER://127.0.0.1:9095
        advertised.listeners=PLAINTEXT://%s,INTERNAL://127.0.0.1:9094
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT
        inter.broker.listener.name=INTERNAL
        controller.listener.names=CONTROLLER
        log.dirs=/data/log
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        transaction.max.timeout.ms=60000
        group.initial.rebalance.delay.ms=0
        """;

    private final String bootstrap;
    private final GenericContainer<?> container;

    private BrokerContainer(String bootstrap, GenericContainer<?> container) {
        this.bootstrap = bootstrap;
        this.container = container;
    }

    /** Whether this machine has a container engine. */
    public static boolean engineIsThere() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    /** Makes the image, loads it and starts a broker. */
    public static BrokerContainer start(Path folder) throws IOException, InterruptedException {
        Path image = folder.resolve("kafka.tar");
        KafkaImage.write(image);
        try (InputStream archive = Files.newInputStream(image)) {
            client().loadImageCmd(archive).exec();
        }
        Path data = Files.createDirectories(folder.resolve("data"));
        int port = FreePorts.next();
        String bootstrap = DockerClientFactory.instance().dockerHostIpAddress() + ":" + port;
        Path config = Files.writeString(folder.resolve("server.properties"), PROPERTIES.formatted(PORT, bootstrap));
        try (GenericContainer<?> format = container(config, data)) {
            format.withCommand(
                            "kafka.tools.StorageTool",
                            "format",
                            "--cluster-id",
                            "Zm90aWxsYS1sYWItMDAwMQ",
                            "--config",
                            CONFIG)
                    .withStartupCheckStrategy(new OneShotStartupCheckStrategy())
                    .start();
        }
        GenericContainer<?> broker = container(config, data)
                .withCommand("kafka.Kafka", CONFIG)
                .withStartupCheckStrategy(new IsRunningStartupCheckStrategy());
        broker.setPortBindings(List.of(port + ":" + PORT));
        broker.start();
        return new BrokerContainer(bootstrap, broker);
    }

    private static GenericContainer<?> container(Path config, Path data) {
        return new GenericContainer<>(DockerImageName.parse(KafkaImage.NAME))
                .withImagePullPolicy(image -> false)
                .withFileSystemBind(config.toString(), CONFIG, BindMode.READ_ONLY)
                .withFileSystemBind(data.toString(), "/data", BindMode.READ_WRITE);
    }

    private static DockerClient client() {
        return DockerClientFactory.instance().client();
    }

    public String bootstrap() {
        return bootstrap;
    }

    /** Kills the broker's process, without notice, and starts the container again. */
    public void killAndStart() {
        client().killContainerCmd(container.getContainerId()).withSignal("KILL").exec();
        client().startContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void close() {
        container.stop();
    }
}
