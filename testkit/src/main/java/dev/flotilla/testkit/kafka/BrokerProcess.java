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
 * A broker in a process of its own, of this JVM's java and class path: what can be killed, suspended and started again
 * on the same folder and ports. What it logs is in {@code broker.log} beside its data.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final int STARTS_WITHIN_SECONDS = 90;
    private static final int ENDS_WITHIN_SECONDS = 30;
    private static final int COMPLAINTS = 20;

    private final BrokerNode node;
    private final String voters;
    private final Map<String, String> properties;
    private @Nullable Process process;

    private BrokerProcess(BrokerNode node, String voters, Map<String, String> properties) {
        this.node = node;
        this.voters = voters;
        this.properties = Map.copyOf(properties);
    }

    /** A broker alone, not started yet. */
    public static BrokerProcess singleBroker(Path folder, Map<String, String> properties) {
        return quorum(1, folder, properties).getFirst();
    }

    /** Brokers that form one Kafka, not started yet; start all before waiting for one. */
    public static List<BrokerProcess> quorum(int brokers, Path folder, Map<String, String> properties) {
        List<BrokerNode> nodes = IntStream.rangeClosed(1, brokers)
                .mapToObj(id -> BrokerNode.free(
                        id,
                        folder.resolve("broker-" + id),
                        KafkaOptions.defaults().doors()))
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

    /** Starts all and waits until all serve: of three, the first serves only when the second has come. */
    public static void startAll(List<BrokerProcess> brokers) {
        List<CompletableFuture<Void>> ready =
                brokers.stream().map(BrokerProcess::launch).toList();
        try {
            CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new))
                    .orTimeout(STARTS_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            brokers.forEach(BrokerProcess::kill);
            throw new IllegalStateException(
                    brokers.size() + " brokers did not start within " + STARTS_WITHIN_SECONDS + " s\n"
                            + brokers.stream().map(BrokerProcess::complaints).collect(Collectors.joining("\n")),
                    e);
        }
    }

    public String bootstrap() {
        return BrokerNode.HOST + ":" + node.doors().get(BrokerListener.PLAINTEXT);
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Its number for the system; only while it runs. */
    public long pid() {
        if (process == null) {
            throw new IllegalStateException("broker " + node.id() + " does not run");
        }
        return process.pid();
    }

    /** As {@code kill -9}: no word to anybody, nothing flushed. */
    public void kill() {
        if (process != null) {
            process.destroyForcibly();
            awaitEnd(process);
            process = null;
        }
    }

    /** As {@code kill}: it closes its files, and leaves. */
    public void stop() {
        if (process != null) {
            process.destroy();
            awaitEnd(process);
            process = null;
        }
    }

    /** Stops it in the middle of what it does, connections and all. */
    public void suspend() {
        signal("-STOP");
    }

    /** Lets a suspended one go on, as if no time had passed. */
    public void resume() {
        signal("-CONT");
    }

    @Override
    public void close() {
        kill();
    }

    private CompletableFuture<Void> launch() {
        if (isAlive()) {
            throw new IllegalStateException("broker " + node.id() + " runs already");
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
            throw new UncheckedIOException("starting a broker in " + node.folder(), e);
        }
    }

    private List<String> command() {
        Map<String, String> arguments = new LinkedHashMap<>();
        arguments.put("--dir", node.folder().resolve("data").toString());
        arguments.put("--port", Integer.toString(node.doors().getOrDefault(BrokerListener.PLAINTEXT, 0)));
        arguments.put("--internal-port", Integer.toString(node.internal()));
        arguments.put("--controller-port", Integer.toString(node.controller()));
        arguments.put("--node-id", Integer.toString(node.id()));
        arguments.put("--voters", voters);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // It lives for minutes: a method that is called again is worth its compiling at once.
                "-XX:CompileThresholdScaling=0.2",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                BrokerMain.class.getName()));
        // The launcher keeps the classes of its class path as the JVM has them.
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
            throw new UncheckedIOException("listening to broker " + node.id(), e);
        }
    }

    private Path log() {
        return node.folder().resolve("broker.log");
    }

    /** The end of what it logged, without the frames of traces. */
    private String complaints() {
        try (Stream<String> lines = Files.lines(log())) {
            List<String> said =
                    lines.filter(line -> !line.stripLeading().startsWith("at ")).toList();
            return String.join("\n", said.subList(Math.max(0, said.size() - COMPLAINTS), said.size()));
        } catch (IOException e) {
            return "broker " + node.id() + " left no log: " + e;
        }
    }

    private void signal(String signal) {
        if (process == null) {
            throw new IllegalStateException("broker " + node.id() + " does not run");
        }
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " was refused for broker " + node.id());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("kill " + signal, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at kill " + signal, e);
        }
    }

    private static void awaitEnd(Process ending) {
        try {
            if (!ending.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + ending.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while process " + ending.pid() + " ends", e);
        }
    }
}
