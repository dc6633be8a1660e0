package dev.flotilla.testkit.kube;

import dev.flotilla.testkit.kafka.FreePorts;
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

/** A store for the API servers of one test. Each cluster lives below a prefix of its own. */
public final class EtcdServer implements AutoCloseable {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int OK = 200;

    private final KubeProcessFolder kubeProcessFolder;
    private final int port;
    private final String url;
    private final String peers;
    private int restores;
    private Path data;
    private KubeProcess process;

    private EtcdServer(KubeProcessFolder kubeProcessFolder) {
        this.kubeProcessFolder = kubeProcessFolder;
        this.data = kubeProcessFolder.folder().resolve("data");
        this.port = FreePorts.next();
        this.url = "http://127.0.0.1:" + port;
        this.peers = "http://127.0.0.1:" + FreePorts.next();
        this.process = started();
    }

    /** Starts one in a temporary folder, which goes when it is closed. */
    public static EtcdServer start() {
        return new EtcdServer(KubeProcessFolder.create("etcd"));
    }

    private KubeProcess started() {
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
                // What survives the machine is no concern of a test; what survives a kill is, and does without.
                "--unsafe-no-fsync");
        return kubeProcessFolder.start("etcd", command, () -> ApiServerClient.isPortOpen(port));
    }

    /** Copies all that it holds into a folder. It is stopped for that, and starts again. */
    void backUp(Path to) {
        process.kill();
        copy(data, to);
        process = started();
    }

    /** Goes back to what was copied: what was written since is lost, and revisions begin where they were. */
    void restore(Path from) {
        process.kill();
        data = kubeProcessFolder.folder().resolve("restored-" + ++restores);
        copy(from, data);
        process = started();
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String url() {
        return url;
    }

    /** Forgets all that anything was before it became what it is now. */
    public void compact() {
        String now = ask("/v3/kv/range", "{\"key\":\"AA==\"}");
        Matcher revision = REVISION.matcher(now);
        if (!revision.find()) {
            throw new IllegalStateException("etcd does not say how far it is: " + now);
        }
        ask("/v3/kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
    }

    private String ask(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw new IllegalStateException(path + " was refused: " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new IllegalStateException(path + " could not be asked", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at " + path, e);
        }
    }

    /** Where its data and its log are. */
    public Path folder() {
        return kubeProcessFolder.folder();
    }

    @Override
    public void close() {
        process.kill();
        kubeProcessFolder.delete();
    }
}
