package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An etcd for the API servers of one test. Each cluster uses its own key prefix. */
public final class EtcdServer implements AutoCloseable {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final KubeProcessFolder kubeProcessFolder;
    private final int port;
    private final String url;
    private final String peers;
    private int restores;
    private Path data;
    private ChildProcess process;

    private EtcdServer(KubeProcessFolder kubeProcessFolder) {
        this.kubeProcessFolder = kubeProcessFolder;
        this.data = kubeProcessFolder.folder().resolve("data");
        this.port = FreePorts.next();
        this.url = "http://127.0.0.1:" + port;
        this.peers = "http://127.0.0.1:" + FreePorts.next();
        this.process = startProcess();
    }

    /** Starts an etcd in a temporary folder, which is deleted when it is closed. */
    public static EtcdServer start() {
        return new EtcdServer(KubeProcessFolder.create("etcd"));
    }

    private ChildProcess startProcess() {
        List<String> command = List.of(
                kubeProcessFolder.program(KubeBinaries.Program.ETCD),
                "--name=test",
                "--data-dir=" + data,
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=test=" + peers,
                "--log-level=warn",
                // A test need not survive a crash of the machine; etcd survives a kill without fsync.
                "--unsafe-no-fsync");
        return kubeProcessFolder.start("etcd", command, () -> ApiServerClient.isPortOpen(port));
    }

    /** Copies its data to a folder. It is stopped meanwhile, and restarts. */
    void backUp(Path to) {
        process.kill();
        copy(data, to);
        process = startProcess();
    }

    /** Restores copied data: later writes are lost, and revisions continue from the copy. */
    void restore(Path from) {
        process.kill();
        data = kubeProcessFolder.folder().resolve("restored-" + ++restores);
        copy(from, data);
        process = startProcess();
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return url;
    }

    /** Compacts the history up to the current revision. */
    public void compact() {
        String now = post("/v3/kv/range", "{\"key\":\"AA==\"}");
        Matcher revision = REVISION.matcher(now);
        if (!revision.find()) {
            throw new IllegalStateException("etcd returned no revision: " + now);
        }
        post("/v3/kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
    }

    private String post(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(path + " was rejected: " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(path + " could not be called", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + path, e);
        }
    }

    /** The folder of its data and its log. */
    public Path folder() {
        return kubeProcessFolder.folder();
    }

    @Override
    public void close() {
        process.kill();
        kubeProcessFolder.delete();
    }
}
