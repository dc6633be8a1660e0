package dev.flotilla.testkit.prometheus;

import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A Prometheus that scrapes configured targets. Its programs are in the folder of {@code FLOTILLA_PROMETHEUS}, or where
 * Debian's package {@code prometheus} puts them.
 */
public final class LocalPrometheus implements AutoCloseable {
    /** The method with which JUnit checks whether it is installed. */
    public static final String PRESENT = "dev.flotilla.testkit.prometheus.LocalPrometheus#isInstalled";

    /** The reason with which a test that needs it is skipped. */
    public static final String ABSENT =
            "SKIPPED: Prometheus is not installed; install the package prometheus, or set FLOTILLA_PROMETHEUS to the program";

    private static final Path PROGRAM =
            Path.of(System.getenv().getOrDefault("FLOTILLA_PROMETHEUS", "/usr/bin/prometheus"));

    private final ChildProcess process;
    private final URI uri;

    private LocalPrometheus(ChildProcess process, URI uri) {
        this.process = process;
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
    public static LocalPrometheus start(Path folder, String config) throws IOException {
        int port = FreePorts.next();
        Path file = Files.writeString(folder.resolve("prometheus.yml"), config.replace("PORT", Integer.toString(port)));
        List<String> command = List.of(
                PROGRAM.toString(),
                "--config.file=" + file,
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port);
        URI uri = URI.create("http://127.0.0.1:" + port);
        ChildProcess process = ChildProcess.startProgram("prometheus", folder, command, Map.of());
        try (HttpClient client = HttpClient.newHttpClient()) {
            process.awaitReady(() -> isReady(client, uri));
        }
        return new LocalPrometheus(process, uri);
    }

    private static boolean isReady(HttpClient client, URI uri) {
        HttpRequest request = HttpRequest.newBuilder(uri.resolve("/-/ready"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for Prometheus", e);
        }
    }

    public URI uri() {
        return uri;
    }

    /** Its log so far. */
    public String log() {
        try {
            return Files.readString(process.log());
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.stop();
    }
}
