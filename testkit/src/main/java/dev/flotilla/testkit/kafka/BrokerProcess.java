package dev.flotilla.testkit.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a separate process with this JVM's java and class path. It can be killed, suspended and restarted on the
 * same folder and ports. Its log is {@code broker.log} beside its data.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final int START_TIMEOUT_SECONDS = 90;
    private static final int STOP_TIMEOUT_SECONDS = 30;
    private static final int LOG_LINES = 20;

    private final BrokerNode node;
    private final String voters;
    private final Map<String, String> properties;
    private @Nullable Process process;

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
        List<CompletableFuture<Void>> ready =
                brokers.stream().map(BrokerProcess::launch).toList();
        try {
            CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new))
                    .orTimeout(START_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            brokers.forEach(BrokerProcess::kill);
            throw new IllegalStateException(
                    brokers.size() + " brokers did not start within " + START_TIMEOUT_SECONDS + " s\n"
                            + brokers.stream().map(BrokerProcess::lastLogLines).collect(Collectors.joining("\n")),
                    e);
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
        if (process == null) {
            throw new IllegalStateException("broker " + node.id() + " is not running");
        }
        return process.pid();
    }

    /** Kills it like {@code kill -9}: without notice, and without flushing anything. */
    public void kill() {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd(process);
            process = null;
        }
    }

    /** Stops it like {@code kill}: it closes its files and leaves the cluster. */
    public void stop() {
        if (process != null) {
            process.destroy();
            awaitEnd(process);
            process = null;
        }
    }

    /** Suspends it, with its connections open. */
    public void suspend() {
        signal("-STOP");
    }

    /** Resumes a suspended broker. */
    public void resume() {
        signal("-CONT");
    }

    @Override
    public void close() {
        kill();
    }

    private CompletableFuture<Void> launch() {
        if (isAlive()) {
            throw new IllegalStateException("broker " + node.id() + " is already running");
        }
        try {
            Files.createDirectories(node.folder());
            ProcessBuilder builder =
                    new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()));
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            Process started = builder.start();
            process = started;
            return CompletableFuture.runAsync(
                    () -> awaitReady(started), task -> Thread.ofVirtual().start(task));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a broker in " + node.folder(), e);
        }
    }

    private List<String> command() {
        Map<String, String> arguments = new LinkedHashMap<>();
        arguments.put("--dir", node.folder().resolve("data").toString());
        arguments.put("--port", Integer.toString(node.listeners().getOrDefault(BrokerListener.PLAINTEXT, 0)));
        arguments.put("--internal-port", Integer.toString(node.internal()));
        arguments.put("--controller-port", Integer.toString(node.controller()));
        arguments.put("--node-id", Integer.toString(node.id()));
        arguments.put("--voters", voters);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // The process lives for minutes, so methods are compiled early.
                "-XX:CompileThresholdScaling=0.2",
                "-Dflotilla.log.level=warn,org.apache.kafka=warn",
                BrokerMain.class.getName()));
        // The JVM's launcher has created the class data archive for its class path.
        String archive = System.getProperty("flotilla.archive");
        if (archive != null) {
            command.add(1, "-XX:SharedArchiveFile=" + archive);
        }
        arguments.forEach((option, value) -> command.addAll(List.of(option, value)));
        properties.forEach((key, value) -> command.addAll(List.of("--property", key + "=" + value)));
        return command;
    }

    private void awaitReady(Process started) {
        try {
            BufferedReader out = started.inputReader();
            String line = out.readLine();
            while (line != null && !line.startsWith(BrokerMain.READY)) {
                line = out.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("broker " + node.id() + " ended before it was ready, see " + log());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the output of broker " + node.id(), e);
        }
    }

    private Path log() {
        return node.folder().resolve("broker.log");
    }

    /** The end of its log, without stack frames. */
    private String lastLogLines() {
        try (Stream<String> lines = Files.lines(log())) {
            List<String> logged =
                    lines.filter(line -> !line.stripLeading().startsWith("at ")).toList();
            return String.join("\n", logged.subList(Math.max(0, logged.size() - LOG_LINES), logged.size()));
        } catch (IOException e) {
            return "broker " + node.id() + " has no log: " + e;
        }
    }

    private void signal(String signal) {
        if (process == null) {
            throw new IllegalStateException("broker " + node.id() + " is not running");
        }
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " failed for broker " + node.id());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill " + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for kill " + signal, e);
        }
    }

    private static void awaitEnd(Process ending) {
        try {
            if (!ending.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "process " + ending.pid() + " did not end within " + STOP_TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of process " + ending.pid(), e);
        }
    }
}
