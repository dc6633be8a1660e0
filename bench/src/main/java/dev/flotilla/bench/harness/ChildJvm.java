package dev.flotilla.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A child JVM with this JDK and class path. Its stdout is read; its log goes to a file in the broker's folder. */
public final class ChildJvm {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int HTTP_MILLIS = 3_000;
    private static final int FIRST_ERROR = 400;
    private static final Pattern URL = Pattern.compile("http://[^\\s\"]+");
    private static final Pattern ROLE = Pattern.compile("\"(leader|standby|restoring|refusing)\"");

    private final String name;
    private final Process process;
    private final LinkedBlockingQueue<String> output = new LinkedBlockingQueue<>();
    private String url = "";

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    public static ChildJvm start(String name, Path folder, List<String> flags, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add(main);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(name + ".log").toFile()));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        try {
            ChildJvm child = new ChildJvm(name, builder.start());
            Thread reader = new Thread(child::readOutput, "output of " + name);
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + name, e);
        }
    }

    private void readOutput() {
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(output::add);
        } catch (IOException | UncheckedIOException e) {
            // The stream closes when the process ends.
        }
    }

    /** Waits for a line that contains a text, and returns it. */
    public String await(String part) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < until) {
            String line = output.poll(1, TimeUnit.SECONDS);
            if (line != null && line.contains(part)) {
                Matcher found = URL.matcher(line);
                url = found.find() ? found.group() : url;
                return line;
            }
            if (line == null && !process.isAlive()) {
                break;
            }
        }
        throw new IllegalStateException(name + " did not print \"" + part + "\" within " + TIMEOUT.toSeconds() + " s");
    }

    /** Writes a line to its stdin. */
    public void sendLine(String line) throws IOException {
        Writer in = process.outputWriter();
        in.write(line + "\n");
        in.flush();
    }

    /** Role that an orchestrator reports; empty if it does not answer. */
    public String replicaRole() {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(url).resolve("/readyz").toURL().openConnection();
            connection.setConnectTimeout(HTTP_MILLIS);
            connection.setReadTimeout(HTTP_MILLIS);
            var body = connection.getResponseCode() < FIRST_ERROR
                    ? connection.getInputStream()
                    : connection.getErrorStream();
            if (body == null) {
                return "";
            }
            try (body) {
                Matcher found = ROLE.matcher(new String(body.readAllBytes(), StandardCharsets.UTF_8));
                return found.find() ? found.group(1) : "";
            }
        } catch (IOException e) {
            return "";
        }
    }

    /** Waits until the orchestrator reports a role. */
    public void awaitReplicaRole(String role) throws InterruptedException {
        long until = System.nanoTime() + TIMEOUT.toNanos();
        while (!replicaRole().equals(role)) {
            if (System.nanoTime() > until || !process.isAlive()) {
                throw new IllegalStateException(name + " does not become " + role);
            }
            Thread.sleep(20);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Completes when it has ended. */
    public CompletableFuture<Process> hasEnded() {
        return process.onExit();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** CPU time so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Kills it, as {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
        end();
    }

    /** Stops it in order, as {@code kill}. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for its end. */
    public void end() {
        try {
            process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
