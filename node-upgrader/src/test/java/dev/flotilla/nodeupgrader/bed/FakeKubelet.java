package dev.flotilla.nodeupgrader.bed;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays the kubelet of one node for the pods of upgrades: their containers are processes of this machine, which run the commands of
 * the manifests. The node's folder is a temporary one, and {@code nsenter} stays on this machine.
 */
final class FakeKubelet implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$|\\(([A-Za-z0-9_]+)\\))");

    private final KubeApiClient api;
    private final String namespace;
    private final String node;
    private final Path folder;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<String, PodRun> pods = new ConcurrentHashMap<>();
    private final Thread loop;
    private final Vertx vertx = Vertx.vertx();
    private final HttpServer logServer;
    private volatile String lastLog = "";
    private volatile String machineId = "";

    /** A pod that runs: the process of its current container. */
    private static final class PodRun {
        private volatile @Nullable Process process;
        private volatile boolean ends;
    }

    FakeKubelet(KubeApiClient api, String namespace, String node, Path folder) throws IOException {
        this.api = api;
        this.namespace = namespace;
        this.node = node;
        this.folder = folder;
        replaceMachine("first");
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Path nsenter = Files.writeString(
                programs.resolve("nsenter"), "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
        if (!nsenter.toFile().setExecutable(true)) {
            throw new IOException(nsenter + " cannot be made executable");
        }
        KeyAndCertificate identity =
                CertificateAuthority.create("kubelets of a test").issue("kubelet");
        this.logServer = vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addKeyValue(Buffer.buffer(identity.key()))
                                .addCertValue(Buffer.buffer(identity.certificate()))))
                .requestHandler(this::sendLog)
                .listen()
                .await();
        this.loop = Thread.ofPlatform().name("kubelet of " + node).start(this::run);
    }

    /** The id of the machine. */
    String machineId() {
        return machineId;
    }

    /** Another machine takes the place of this one. */
    void replaceMachine(String id) throws IOException {
        machineId = id;
        Files.writeString(folder.resolve("machine-id"), id + "\n");
    }

    private Path stateFolder() {
        return folder.resolve("state-of-" + machineId);
    }

    /** The port on which it serves the logs of its containers. */
    int port() {
        return logServer.actualPort();
    }

    /** Sends the last line of a container's log, whatever was asked for. */
    private void sendLog(HttpServerRequest request) {
        String[] path = String.valueOf(request.path()).split("/", -1);
        Path log = folder.resolve(path[path.length - 2] + "." + path[path.length - 1] + ".log");
        try {
            List<String> lines = Files.readAllLines(log);
            request.response().end(lines.isEmpty() ? "" : lines.getLast() + "\n");
        } catch (IOException e) {
            request.response().setStatusCode(404).end();
        }
    }

    /** Kills the containers that run, as the kernel does when memory is short. */
    void killContainers() {
        pods.values().forEach(pod -> {
            Process process = pod.process;
            if (process != null) {
                process.destroyForcibly();
            }
        });
    }

    /** The latest output of a container. */
    String lastLog() {
        return lastLog;
    }

    private void run() {
        try {
            while (!stopped.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                if (api.get(KubeApiPath.coreObject(namespace, "pods"))
                        instanceof KubeResponse.SuccessResponse successResponse) {
                    sync(successResponse.object().list("items"));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sync(List<KubeObject> all) {
        List<String> there = new ArrayList<>();
        for (KubeObject pod : all) {
            if (!node.equals(pod.text("spec", "nodeName"))) {
                continue;
            }
            there.add(pod.uid());
            PodRun run = pods.computeIfAbsent(pod.uid(), absent -> {
                PodRun fresh = new PodRun();
                Thread.ofPlatform().daemon().name("pod " + pod.name()).start(() -> runPod(pod, fresh));
                return fresh;
            });
            if (pod.isDeleting()) {
                end(run);
                if (run.process == null) {
                    deletePod(pod);
                }
            }
        }
        pods.forEach((uid, run) -> {
            if (!there.contains(uid)) {
                end(run);
            }
        });
    }

    private static void end(PodRun run) {
        run.ends = true;
        Process process = run.process;
        if (process != null) {
            process.destroy();
        }
    }

    private void deletePod(KubeObject pod) {
        api.deleteObject(
                KubeApiPath.coreObject(namespace, "pods", pod.name()),
                new JsonObjectReader.Builder()
                        .put("apiVersion", "v1")
                        .put("kind", "DeleteOptions")
                        .put("gracePeriodSeconds", 0)
                        .build());
    }

    private void runPod(KubeObject pod, PodRun run) {
        try {
            for (KubeObject container : pod.list("spec", "initContainers")) {
                report(pod, "Pending", "initContainerStatuses", container, "running: {}");
                int exit = runContainer(pod, container, run);
                String ended = "terminated: {exitCode: " + exit + "}";
                if (exit != 0) {
                    report(pod, "Failed", "initContainerStatuses", container, ended);
                    return;
                }
                report(pod, "Pending", "initContainerStatuses", container, ended);
            }
            KubeObject container = pod.list("spec", "containers").getFirst();
            int exit = runContainer(pod, container, run);
            if (!Files.exists(terminationOf(pod))) {
                // It was deleted before its container has run.
                return;
            }
            String message = Files.readString(terminationOf(pod)).strip().replace("'", "''");
            report(
                    pod,
                    exit == 0 ? "Succeeded" : "Failed",
                    "containerStatuses",
                    container,
                    "terminated: {exitCode: " + exit + ", message: '" + message + "'}");
        } catch (IOException e) {
            throw new IllegalStateException(pod.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Path terminationOf(KubeObject pod) {
        return folder.resolve(pod.uid() + ".termination");
    }

    /** An image whose name says so cannot be pulled until a file is there. */
    private void awaitImage(KubeObject pod, KubeObject container, PodRun run) throws InterruptedException {
        String image = textOf(container, "image");
        Path pulled = folder.resolve(image.replaceAll("[^a-z]", "-") + ".pulled");
        boolean isInit = pod.list("spec", "initContainers").stream()
                .anyMatch(each -> textOf(each, "name").equals(textOf(container, "name")));
        boolean reported = false;
        while (image.startsWith("unpullable") && !run.ends && !Files.exists(pulled)) {
            if (!reported) {
                reported = true;
                report(
                        pod,
                        "Pending",
                        isInit ? "initContainerStatuses" : "containerStatuses",
                        container,
                        "waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image'}");
            }
            if (stopped.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private int runContainer(KubeObject pod, KubeObject container, PodRun run)
            throws IOException, InterruptedException {
        awaitImage(pod, container, run);
        if (run.ends) {
            return 143;
        }
        Map<String, String> environment = new TreeMap<>();
        container
                .list("env")
                .forEach(each -> environment.put(textOf(each, "name"), expand(textOf(each, "value"), environment)));
        List<String> command = container.texts("command").stream()
                .map(each -> expand(each, environment))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Path output = folder.resolve(pod.name() + "." + container.text("name") + ".log");
        builder.redirectOutput(output.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("FLOTILLA_ROOT", "");
        builder.environment().put("FLOTILLA_DIR", stateFolder() + "/" + environment.get("FLOTILLA_NAME"));
        builder.environment().put("FLOTILLA_TERMINATION", terminationOf(pod).toString());
        builder.environment()
                .put("FLOTILLA_MACHINE_ID_FILE", folder.resolve("machine-id").toString());
        builder.environment().put("FLOTILLA_POLL", "0.05");
        builder.environment().put("FLOTILLA_RETRY_PAUSE", "0");
        Process process = builder.start();
        run.process = process;
        if (run.ends) {
            process.destroy();
        }
        int exit = process.waitFor();
        run.process = null;
        lastLog = Files.readString(output);
        return exit;
    }

    private static String expand(String text, Map<String, String> environment) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1).equals("$") ? "$" : environment.getOrDefault(found.group(2), found.group())));
    }

    /** Reports a container's state, and tries again while the API server is away. */
    private void report(KubeObject pod, String phase, String list, KubeObject container, String state)
            throws InterruptedException {
        String status =
                "{status: {phase: %s, %s: [{name: %s, image: '%s', imageID: i, ready: false, restartCount: 0, state: {%s}}]}}"
                        .formatted(phase, list, container.text("name"), container.text("image"), state);
        String path = KubeApiPath.coreObject(namespace, "pods", pod.name()) + "/status";
        KubeResponse written;
        do {
            written = UpgraderTestBed.patchYaml(api, path, status);
        } while (!(written instanceof KubeResponse.SuccessResponse)
                && !written.isMissing()
                && !stopped.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
    }

    private static String textOf(KubeObject object, String field) {
        return Objects.requireNonNullElse(object.text(field), "");
    }

    @Override
    public void close() {
        stopped.countDown();
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pods.values().forEach(FakeKubelet::end);
        vertx.close().await();
    }
}
