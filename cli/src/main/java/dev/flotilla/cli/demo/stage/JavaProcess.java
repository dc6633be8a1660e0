package dev.flotilla.cli.demo.stage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A child of this process, of the same JDK. It is ready when it has printed where it listens; what it logs is in a file.
 */
public final class JavaProcess implements AutoCloseable {
    /** One that ends is noticed at once: this is for a machine that has much else to do. */
    private static final int READY_WITHIN_SECONDS = 180;

    private static final int ENDS_WITHIN_SECONDS = 10;
    private static final Pattern URL = Pattern.compile("http://[^\\s\",]+");

    private final String what;
    private final String name;
    private final Process process;
    private final Path log;
    private final CompletableFuture<URI> ready = new CompletableFuture<>();
    private volatile boolean expectedToEnd;

    private JavaProcess(String what, String name, Process process, Path log) {
        this.what = what;
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a process.
     *
     * @param what which part it is
     * @param name which one of these parts
     * @param heap its heap at most, as the JVM is told
     */
    static JavaProcess start(
            String what, String name, String classPath, String heap, String main, List<String> args, Path folder)
            throws DemoProcessException {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                // What it leaves there when it is killed goes with the folder.
                "-Djava.io.tmpdir=" + folder,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // A method is worth its compiling soon where all of them are young, and that is when they are needed
                // most.
                "-XX:CompileThresholdScaling=0.2",
                "--enable-native-access=ALL-UNNAMED",
                // As the launcher does: keys lie in stores that never leave memory.
                "-Dkeystore.pkcs12.keyPbeIterationCount=1",
                // Else each handshake computes a second key that nobody uses, and without the optimising compiler that
                // takes long.
                "-Djdk.tls.namedGroups=x25519",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=warn",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                main));
        // The launcher keeps the classes of its class path as the JVM has them.
        String archive = System.getProperty("flotilla.archive");
        if (archive != null && classPath.equals(ComponentClassPaths.own())) {
            command.add(1, "-XX:SharedArchiveFile=" + archive);
        }
        command.addAll(args);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("CLASSPATH", classPath);
        try {
            JavaProcess started = new JavaProcess(what, name, builder.start(), log);
            Thread listening = new Thread(started::listen, "listening to " + name);
            listening.setDaemon(true);
            listening.start();
            return started;
        } catch (IOException e) {
            throw new DemoProcessException(name + " cannot be started: " + e.getMessage());
        }
    }

    private void listen() {
        try (BufferedReader out = process.inputReader()) {
            String line = out.readLine();
            while (line != null) {
                Matcher url = URL.matcher(line);
                if (url.find()) {
                    ready.complete(URI.create(url.group()));
                }
                line = out.readLine();
            }
        } catch (IOException e) {
            // Its end closed the stream.
        }
        ready.completeExceptionally(new IOException("ended"));
    }

    /** Waits until it says where it listens. */
    URI awaitReady() throws DemoProcessException, InterruptedException {
        try {
            return ready.get(READY_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new DemoProcessException(name + " ended before it was ready; see " + log + lastWords());
        } catch (TimeoutException e) {
            throw new DemoProcessException(name + " was not ready within " + READY_WITHIN_SECONDS + " s; see " + log);
        }
    }

    /** The end of its log, which may be gone by the time that somebody looks. */
    private String lastWords() {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> said = lines.filter(line -> !line.isBlank()).toList();
            return said.isEmpty() ? "" : ", which ends: " + said.getLast();
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    /** Whether it has said where it listens, and lives. */
    boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally() && process.isAlive();
    }

    /** Where it listens; only when ready. */
    public URI uri() {
        return ready.join();
    }

    public String what() {
        return what;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    Path log() {
        return log;
    }

    /** Whether it has ended and nobody had asked it to. */
    boolean hasCrashed() {
        return !expectedToEnd && !process.isAlive();
    }

    /** As {@code kill -9}. It is gone when this returns. */
    void kill() throws InterruptedException {
        expectedToEnd = true;
        process.destroyForcibly();
        process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        expectedToEnd = true;
        process.destroyForcibly();
    }
}
