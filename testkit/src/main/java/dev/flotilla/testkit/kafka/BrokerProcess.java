package dev.flotilla.testkit.kafka;

import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a separate process with this JVM's java and class path. It can be killed, suspended and restarted on the
 * same folder and ports. Its log is {@code broker.log} beside its data.
 */
public final class BrokerProcess implements AutoCloseable {
    private final BrokerNode node;
    private final String voters;
    private final Map<String, String> properties;
    private @Nullable ChildProcess process;

    private BrokerProcess(BrokerNode node, String voters, Map<String, String> properties) {
        this.node = node;
        this.voters = voters;
        this.properties = Map.copyOf(properties);
    }

    /** A single broker, not started yet. */
    public static BrokerProcess singleBroker(Path folder, Map<String, String> properties) {
        return quorum(1, folder, properties).getFirst();
    }

    /** Brokers that form one Kafka cluster, not started yet; start all of them before waiting for one. */
    public static List<BrokerProcess> quorum(int brokers, Path folder, Map<String, String> properties) {
        List<BrokerNode> nodes = IntStream.rangeClosed(1, brokers)
                .mapToObj(id -> BrokerNode.free(
                        id,
                        folder.resolve("broker-" + id),
                        KafkaOptions.defaults().listeners()))
                .toList();
        String voters = nodes.stream().map(BrokerNode::voter).collect(Collectors.joining(","));
        return nodes.stream()
                .map(node -> new BrokerProcess(node, voters, properties))
                .toList();
    }

    /** Starts it and waits until it serves. */
    public BrokerProcess start() {
        startAll(List.of(this));
        return this;
    }

    /** Starts all brokers and waits until all serve: the first of three serves only when the second has started. */
    public static void startAll(List<BrokerProcess> brokers) {
        brokers.forEach(BrokerProcess::launch);
        try {
            brokers.forEach(each -> each.running().awaitLine(BrokerMain.READY));
        } catch (IllegalStateException e) {
            brokers.forEach(BrokerProcess::kill);
            throw e;
        }
    }

    public String bootstrap() {
        return BrokerNode.HOST + ":" + node.listeners().get(BrokerListener.PLAINTEXT);
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Its process id; only while it runs. */
    public long pid() {
        return running().pid();
    }

    /** Kills it like {@code kill -9}: without notice, and without flushing anything. */
    public void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Stops it like {@code kill}: it closes its files and leaves the cluster. */
    public void stop() {
        if (process != null) {
            process.terminate();
            process.awaitExit();
            process = null;
        }
    }

    /** Suspends it, with its connections open. */
    public void suspend() {
        running().suspend();
    }

    /** Resumes a suspended broker. */
    public void resume() {
        running().resume();
    }

    @Override
    public void close() {
        kill();
    }

    private ChildProcess running() {
        if (process == null) {
            throw new IllegalStateException("broker " + node.id() + " is not running");
        }
        return process;
    }

    private void launch() {
        if (isAlive()) {
            throw new IllegalStateException("broker " + node.id() + " is already running");
        }
        try {
            Files.createDirectories(node.folder());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + node.folder(), e);
        }
        String classPath = ComponentClassPaths.own();
        List<String> options = new ArrayList<>(ChildProcess.quickStartOptions(classPath));
        options.addAll(List.of(
                "-Xmx384m",
                // The process lives for minutes, so methods are compiled early.
                "-XX:CompileThresholdScaling=0.2",
                "-Dflotilla.log.level=warn,org.apache.kafka=warn"));
        process = ChildProcess.startJvm(
                "broker", node.folder(), classPath, options, BrokerMain.class.getName(), arguments());
    }

    private List<String> arguments() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--dir", node.folder().resolve("data").toString());
        options.put("--port", Integer.toString(node.listeners().getOrDefault(BrokerListener.PLAINTEXT, 0)));
        options.put("--internal-port", Integer.toString(node.internal()));
        options.put("--controller-port", Integer.toString(node.controller()));
        options.put("--node-id", Integer.toString(node.id()));
        options.put("--voters", voters);
        List<String> arguments = new ArrayList<>();
        options.forEach((option, value) -> arguments.addAll(List.of(option, value)));
        properties.forEach((key, value) -> arguments.addAll(List.of("--property", key + "=" + value)));
        return arguments;
    }
}
