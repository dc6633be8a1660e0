package dev.flotilla.cli.demo.stage;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.sites.EmbeddedSites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All processes of a demonstration, in one temporary folder. Used by one thread, except {@link #close}. */
public final class DemoProcesses implements AutoCloseable {
    public static final String BROKER = "broker";
    public static final String ORCHESTRATOR = "orchestrator";
    public static final String AUDITOR = "auditor";
    public static final String SITES = "sites";
    public static final String WORKER = "worker";
    public static final String WATCHER = "watcher";
    public static final String NODE_UPGRADER = "node-upgrader";

    private static final String LOOPBACK = "127.0.0.1:0";
    private static final long BROKER_AWAY_MILLIS = 2000;
    /** The broker starts together with nine other programs and may answer late. */
    private static final String PATIENCE_SECONDS = "120";

    /** Nodes that do ten minutes of work in seconds must be polled more often than real ones. */
    private static final String ASK_EVERY_MILLIS = "150";

    private final Path folder;
    private final BrokerProcess broker;
    private final ChildProcessReaper childProcessReaper;
    private final List<DemoProcess> processes = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private CompletableFuture<Void> brokerRestart = CompletableFuture.completedFuture(null);
    private int instances;

    private DemoProcesses(Path folder, ChildProcessReaper childProcessReaper) {
        this.folder = folder;
        this.childProcessReaper = childProcessReaper;
        this.broker = BrokerProcess.singleBroker(folder, Map.of());
    }

    public static DemoProcesses open() throws DemoProcessException {
        try {
            Path folder = Files.createTempDirectory("flotilla-demo-");
            return new DemoProcesses(folder, ChildProcessReaper.of(folder));
        } catch (IOException e) {
            throw new DemoProcessException("cannot create a temporary folder or start its cleanup: " + e.getMessage());
        }
    }

    /** Starts the broker and waits for it. */
    public void startBroker() throws DemoProcessException {
        try {
            serve();
            if (closed.get()) {
                broker.kill();
            }
        } catch (IllegalStateException e) {
            throw new DemoProcessException(e.getMessage() == null ? "no broker" : e.getMessage());
        }
    }

    private void serve() {
        broker.start();
        childProcessReaper.add(broker.pid());
    }

    public String bootstrap() {
        return broker.bootstrap();
    }

    /** Starts another orchestrator: the first one is leader, the others are standbys. */
    public void startOrchestrator() throws DemoProcessException {
        String name = ORCHESTRATOR + "-" + ++instances;
        launch(
                ORCHESTRATOR,
                name,
                ComponentClassPaths.own(),
                "256m",
                "dev.flotilla.orchestrator.Main",
                orchestrator(bootstrap(), name));
    }

    /** Arguments of an orchestrator. */
    public static List<String> orchestrator(String bootstrap, String name) {
        return List.of("--bootstrap", bootstrap, "--listen", LOOPBACK, "--instance", name);
    }

    public void startAuditor() throws DemoProcessException {
        launch(
                AUDITOR,
                AUDITOR,
                ComponentClassPaths.auditor(),
                "256m",
                "dev.flotilla.auditor.Main",
                List.of("--bootstrap", bootstrap(), "--listen", LOOPBACK, "--timeout", PATIENCE_SECONDS));
    }

    /** Starts the simulated sites: machines and API servers. */
    public void startSites(List<String> arguments) throws DemoProcessException {
        List<String> all = new ArrayList<>(
                List.of("--bootstrap", bootstrap(), "--listen", LOOPBACK, "--folder", folder.toString()));
        all.addAll(arguments);
        launch(SITES, SITES, ComponentClassPaths.own(), "512m", "dev.flotilla.testkit.sites.SitesMain", all);
    }

    /** Starts another worker of a site, whose API servers must be ready. */
    public void startWorker(SiteId site) throws DemoProcessException {
        String name = WORKER + "-" + site + "-" + ++instances;
        launch(
                WORKER,
                name,
                ComponentClassPaths.own(),
                "256m",
                "dev.flotilla.nodeworker.Main",
                worker(bootstrap(), name, site, kubeconfig(site).toString(), k8sd()));
    }

    /** Arguments of a worker. */
    public static List<String> worker(String bootstrap, String name, SiteId site, String kubeconfig, String k8sd) {
        List<String> all = new ArrayList<>(watcher(bootstrap, name, site, kubeconfig));
        all.addAll(List.of("--via", k8sd, "--ask-every", ASK_EVERY_MILLIS));
        return all;
    }

    /** Starts another watcher of a site, whose API servers must be ready. */
    public void startWatcher(SiteId site) throws DemoProcessException {
        String name = WATCHER + "-" + site + "-" + ++instances;
        launch(
                WATCHER,
                name,
                ComponentClassPaths.own(),
                "256m",
                "dev.flotilla.managementwatcher.Main",
                watcher(bootstrap(), name, site, kubeconfig(site).toString()));
    }

    /** Starts a node-upgrader of a site, whose API servers must be ready. */
    public void startNodeUpgrader(SiteId site) throws DemoProcessException {
        launch(
                NODE_UPGRADER,
                NODE_UPGRADER + "-" + site + "-" + ++instances,
                ComponentClassPaths.own(),
                "256m",
                "dev.flotilla.nodeupgrader.Main",
                List.of("--kubeconfig", kubeconfig(site).toString()));
    }

    /** Arguments of a watcher. */
    public static List<String> watcher(String bootstrap, String name, SiteId site, String kubeconfig) {
        return List.of("--bootstrap", bootstrap, "--instance", name, "--site", site.name(), "--kubeconfig", kubeconfig);
    }

    /** Kubeconfig of a site's management cluster. */
    public Path kubeconfig(SiteId site) {
        return folder.resolve(EmbeddedSites.kubeconfig(site.name()));
    }

    private String k8sd() throws DemoProcessException {
        try {
            return Files.readString(folder.resolve(EmbeddedSites.K8SD));
        } catch (IOException e) {
            throw new DemoProcessException("the address of k8sd is unknown: " + e.getMessage());
        }
    }

    private void launch(String what, String name, String classPath, String heap, String main, List<String> arguments)
            throws DemoProcessException {
        List<String> options = new ArrayList<>(ChildProcess.quickStartOptions(classPath));
        options.add(ChildProcess.LOG_OPTION);
        options.addAll(List.of(
                "-Xmx" + heap,
                // Temporary files of a killed process are deleted with the folder.
                "-Djava.io.tmpdir=" + folder,
                // Compile early, because these short-lived JVMs need speed at the start.
                "-XX:CompileThresholdScaling=0.2",
                "--enable-native-access=ALL-UNNAMED",
                // Otherwise each handshake computes a second key that is not used, which is slow without the optimising
                // compiler.
                "-Djdk.tls.namedGroups=x25519"));
        try {
            ChildProcess process = ChildProcess.startJvm(name, folder, classPath, options, main, arguments);
            processes.add(new DemoProcess(what, process));
            childProcessReaper.add(process.pid());
            if (closed.get()) {
                process.close();
            }
        } catch (UncheckedIOException e) {
            throw new DemoProcessException(name + " cannot be started: " + e.getCause());
        }
    }

    /** Waits until all processes are ready. */
    public void awaitReady() throws DemoProcessException {
        for (DemoProcess process : processes) {
            process.awaitReady();
        }
    }

    /** Waits until the simulated sites are ready. */
    public void awaitSites() throws DemoProcessException {
        for (DemoProcess process : processes) {
            if (process.what().equals(SITES)) {
                process.awaitReady();
            }
        }
    }

    /** Processes that are ready, except the broker. */
    public List<DemoProcess> ready() {
        return processes.stream().filter(each -> each.process().isReady()).toList();
    }

    public long brokerPid() {
        return broker.pid();
    }

    /** Address of the only process of a component. */
    public URI uri(String what) {
        return processes.stream()
                .filter(process -> process.what().equals(what))
                .findFirst()
                .orElseThrow()
                .uri();
    }

    /** The orchestrator that reports itself as leader; null for none. */
    public @Nullable DemoProcess leader() {
        for (DemoProcess process : ready()) {
            if (process.what().equals(ORCHESTRATOR)) {
                JsonObjectReader state = HttpJsonClient.get(process.uri().resolve("/readyz"));
                if (state != null
                        && state.get("status") instanceof JsonValue.JsonString status
                        && status.value().equals("leader")) {
                    return process;
                }
            }
        }
        return null;
    }

    /** Kills the leader and starts another orchestrator. Returns its name, or null if there is no leader. */
    public @Nullable String killLeader() throws DemoProcessException {
        DemoProcess leader = leader();
        if (leader == null) {
            return null;
        }
        leader.process().kill();
        processes.remove(leader);
        startOrchestrator();
        return leader.process().name();
    }

    /** Kills a worker and starts another. Returns its name, or null if none runs. */
    public @Nullable String killWorker(SiteId site) throws DemoProcessException {
        String killed = kill(WORKER, site);
        if (killed != null) {
            startWorker(site);
        }
        return killed;
    }

    /** Kills a watcher and starts another. Returns its name, or null if none runs. */
    public @Nullable String killWatcher(SiteId site) throws DemoProcessException {
        String killed = kill(WATCHER, site);
        if (killed != null) {
            startWatcher(site);
        }
        return killed;
    }

    private @Nullable String kill(String what, SiteId site) {
        for (DemoProcess each : ready()) {
            if (each.process().name().startsWith(what + "-" + site + "-")) {
                each.process().kill();
                processes.remove(each);
                return each.process().name();
            }
        }
        return null;
    }

    /** Kills the broker and starts it again with its data after a moment. */
    public void killBroker() {
        broker.kill();
        brokerRestart = CompletableFuture.runAsync(
                () -> {
                    if (!closed.get()) {
                        serve();
                    }
                },
                CompletableFuture.delayedExecutor(BROKER_AWAY_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** Describes a process that ended without being killed; null for none. */
    public @Nullable String crashedProcess() {
        if (closed.get()) {
            return null;
        }
        for (DemoProcess each : processes) {
            if (each.process().hasCrashed()) {
                return each.process().name() + " ended unexpectedly; --kill did not request it";
            }
        }
        if (brokerRestart.isCompletedExceptionally() || (brokerRestart.isDone() && !broker.isAlive())) {
            return "the broker ended unexpectedly";
        }
        return null;
    }

    /** Makes an exception that says where the logs are. */
    public DemoProcessException failure(String what) {
        return new DemoProcessException(what + "; the logs are in " + folder);
    }

    public Path folder() {
        return folder;
    }

    /** Ends all processes at once. A second call does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            processes.forEach(each -> each.process().close());
            broker.kill();
            childProcessReaper.close();
        }
    }

    /** Removes the folder with all logs. */
    public void removeFolder() {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // Files that cannot be deleted stay in the folder for temporary files.
        }
    }
}
