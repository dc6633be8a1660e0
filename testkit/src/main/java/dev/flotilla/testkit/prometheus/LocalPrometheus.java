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
 * A Prometheus that scrapes configured targets. Its programs are in the folder of {@code FLOTILLA_PROMETHEUS}, or where
 * Debian's package {@code prometheus} puts them.
 */
public final class LocalPrometheus implements AutoCloseable {
    /** The reason with which a test that needs it is skipped. */
    public static final String ABSENT =
            "SKIPPED: Prometheus is not installed; install the package prometheus, or set FLOTILLA_PROMETHEUS to the program";

    private static final Path PROGRAM =
            Path.of(System.getenv().getOrDefault("FLOTILLA_PROMETHEUS", "/usr/bin/prometheus"));

    private static final long TIMEOUT_NANOS = 60_000_000_000L;
    private static final long POLL_INTERVAL_MILLIS = 50;

    private final Process process;
    private final Path log;
    private final URI uri;

    private LocalPrometheus(Process process, Path log, URI uri) {
        this.process = process;
        this.log = log;
        this.uri = uri;
    }

    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM) && Files.isExecutable(promtool());
    }

    /** The program that checks rules. */
    public static Path promtool() {
        return PROGRAM.resolveSibling("promtool");
    }

    /**
     * Starts a Prometheus, and waits until it is ready.
     *
     * @param folder for all of its files
     * @param config its configuration, in which PORT is replaced by its own port
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
        long until = System.nanoTime() + TIMEOUT_NANOS;
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (!isReady(client)) {
                if (process.waitFor(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() > until) {
                    close();
                    throw new IllegalStateException("Prometheus did not become ready: " + log());
                }
            }
        }
    }

    private boolean isReady(HttpClient client) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri.resolve("/-/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    public URI uri() {
        return uri;
    }

    /** Its log so far. */
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
