package dev.flotilla.testkit.prometheus;

import dev.flotilla.testkit.kafka.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A Prometheus that scrapes what it is told to. Its programs are looked for where {@code FLOTILLA_PROMETHEUS} says, and where
 * Debian's package {@code prometheus} puts them.
 */
public final class LocalPrometheus implements AutoCloseable {
    /** Why a test is skipped that needs it. */
    public static final String ABSENT =
            "SKIPPED: no Prometheus: install the package prometheus, or name the program" + " by FLOTILLA_PROMETHEUS";

    private static final Path PROGRAM =
            Path.of(System.getenv().getOrDefault("FLOTILLA_PROMETHEUS", "/usr/bin/prometheus"));

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Process process;
    private final Path log;
    private final URI uri;

    private LocalPrometheus(Process process, Path log, URI uri) {
        this.process = process;
        this.log = log;
        this.uri = uri;
    }

    public static boolean isThere() {
        return Files.isExecutable(PROGRAM) && Files.isExecutable(promtool());
    }

    /** The program that checks rules. */
    public static Path promtool() {
        return PROGRAM.resolveSibling("promtool");
    }

    /**
     * Starts one, and waits until it takes questions.
     *
     * @param folder where it keeps everything
     * @param config its configuration, in which PORT is where it listens itself
     */
    public static LocalPrometheus start(Path folder, String config) throws IOException, InterruptedException {
        int port = FreePorts.next();
        Path file = Files.writeString(folder.resolve("prometheus.yml"), config.replace("PORT", Integer.toString(port)));
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(
                        PROGRAM.toString(),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        LocalPrometheus started = new LocalPrometheus(process, log, URI.create("http://127.0.0.1:" + port));
        started.awaitReady();
        return started;
    }

    private void awaitReady() throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_NANOS;
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!isReady(client)) {
                if (process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > until) {
                    close();
                    throw new IllegalStateException("Prometheus does not take questions: " + log());
                }
            }
        }
    }

    private boolean isReady(HttpClient client) throws InterruptedException {
        HttpRequest question = HttpRequest.newBuilder(uri.resolve("/-/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    public URI uri() {
        return uri;
    }

    /** What it has said so far. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
