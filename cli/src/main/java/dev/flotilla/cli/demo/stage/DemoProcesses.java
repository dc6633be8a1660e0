package dev.flotilla.cli.demo.stage;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.sites.EmbeddedSites;
import java.io.IOException;
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

/** Everything that runs, in a folder of its own. Used by one thread, but for {@link #close}. */
public final class DemoProcesses implements AutoCloseable {
    public static final String BROKER = "broker";
    public static final String ORCHESTRATOR = "orchestrator";
    public static final String AUDITOR = "auditor";
    public static final String SITES = "sites";
    public static final String WORKER = "worker";
    public static final String WATCHER = "watcher";

    private static final String LOOPBACK = "127.0.0.1:0";
    private static final long BROKER_AWAY_MILLIS = 2000;
    /** A broker that begins together with nine other programs may take a while to answer. */
    private static final String PATIENCE_SECONDS = "120";

    /** Nodes that do ten minutes' work in seconds must be asked more often than real ones. */
    private static final String ASK_EVERY_MILLIS = "150";

    private final Path folder;
    private final BrokerProcess broker;
    private final ChildProcessReaper childProcessReaper;
    private final List<JavaProcess> processes = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private CompletableFuture<Void> brokerComing = CompletableFuture.completedFuture(null);
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
            throw new DemoProcessException("no temporary folder, or nothing to clean up after it: " + e.getMessage());
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

    /** Starts another orchestrator: whoever comes first leads, the others stand by. */
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

    /** What an orchestrator is told. */
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
                List.of("--bootstrap", bootstrap(), "--listen", LOOPBACK, "--patience", PATIENCE_SECONDS));
    }

    /** Starts the simulated sites: their machines, and the APIs in front of them. */
    public void startSites(List<String> arguments) throws DemoProcessException {
        List<String> all = new ArrayList<>(
                List.of("--bootstrap", bootstrap(), "--listen", LOOPBACK, "--folder", folder.toString()));
        all.addAll(arguments);
        launch(SITES, SITES, ComponentClassPaths.own(), "512m", "dev.flotilla.testkit.sites.SitesMain", all);
    }

    /** Starts another worker of a site, whose APIs must be there. */
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

    /** What a worker is told. */
    public static List<String> worker(String bootstrap, String name, SiteId site, String kubeconfig, String k8sd) {
        List<String> all = new ArrayList<>(watcher(bootstrap, name, site, kubeconfig));
        all.addAll(List.of("--via", k8sd, "--ask-every", ASK_EVERY_MILLIS));
        return all;
    }

    /** Starts another watcher of a site, whose APIs must be there. */
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

    /** What a watcher is told. */
    public static List<String> watcher(String bootstrap, String name, SiteId site, String kubeconfig) {
        return List.of("--bootstrap", bootstrap, "--instance", name, "--site", site.name(), "--kubeconfig", kubeconfig);
    }

    /** By which a site's management cluster is reached. */
    public Path kubeconfig(SiteId site) {
        return folder.resolve(EmbeddedSites.kubeconfig(site.name()));
    }

    private String k8sd() throws DemoProcessException {
        try {
            return Files.readString(folder.resolve(EmbeddedSites.K8SD));
        } catch (IOException e) {
            throw new DemoProcessException("nobody says where k8sd is: " + e.getMessage());
        }
    }

    private void launch(String what, String name, String classPath, String heap, String main, List<String> arguments)
            throws DemoProcessException {
        JavaProcess process = JavaProcess.start(what, name, classPath, heap, main, arguments, folder);
        processes.add(process);
        childProcessReaper.add(process.pid());
        if (closed.get()) {
            process.close();
        }
    }

    /** Waits until all of them say that they are ready. */
    public void awaitReady() throws DemoProcessException, InterruptedException {
        for (JavaProcess process : processes) {
            process.awaitReady();
        }
    }

    /** Waits until there are sites to start watchers and workers for. */
    public void awaitSites() throws DemoProcessException, InterruptedException {
        for (JavaProcess process : processes) {
            if (process.what().equals(SITES)) {
                process.awaitReady();
            }
        }
    }

    /** Those that run and are ready, the broker aside. */
    public List<JavaProcess> ready() {
        return processes.stream().filter(JavaProcess::isReady).toList();
    }

    public long brokerPid() {
        return broker.pid();
    }

    /** Where the only one of a part is asked. */
    public URI uri(String what) {
        return processes.stream()
                .filter(process -> process.what().equals(what))
                .findFirst()
                .orElseThrow()
                .uri();
    }

    /** The orchestrator that says of itself that it leads; null where none does. */
    public @Nullable JavaProcess leader() {
        for (JavaProcess process : ready()) {
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

    /** Kills the orchestrator that leads, and starts another in its place. Returns its name, or null where none leads. */
    public @Nullable String killLeader() throws DemoProcessException, InterruptedException {
        JavaProcess leader = leader();
        if (leader == null) {
            return null;
        }
        leader.kill();
        processes.remove(leader);
        startOrchestrator();
        return leader.name();
    }

    /** Kills a worker, and starts another in its place. Returns its name, or null where none runs. */
    public @Nullable String killWorker(SiteId site) throws DemoProcessException, InterruptedException {
        String killed = kill(WORKER, site);
        if (killed != null) {
            startWorker(site);
        }
        return killed;
    }

    /** Kills a watcher, and starts another in its place. Returns its name, or null where none runs. */
    public @Nullable String killWatcher(SiteId site) throws DemoProcessException, InterruptedException {
        String killed = kill(WATCHER, site);
        if (killed != null) {
            startWatcher(site);
        }
        return killed;
    }

    private @Nullable String kill(String what, SiteId site) throws InterruptedException {
        for (JavaProcess process : ready()) {
            if (process.name().startsWith(what + "-" + site + "-")) {
                process.kill();
                processes.remove(process);
                return process.name();
            }
        }
        return null;
    }

    /** Kills the broker; it comes again on its folder after a moment. */
    public void killBroker() {
        broker.kill();
        brokerComing = CompletableFuture.runAsync(
                () -> {
                    if (!closed.get()) {
                        serve();
                    }
                },
                CompletableFuture.delayedExecutor(BROKER_AWAY_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** What has ended though nobody killed it; null if nothing has. */
    public @Nullable String crashedProcess() {
        if (closed.get()) {
            return null;
        }
        for (JavaProcess process : processes) {
            if (process.hasCrashed()) {
                return process.name()
                        + " ended, which --kill did not ask for: a part that --kill ends is started again";
            }
        }
        if (brokerComing.isCompletedExceptionally() || (brokerComing.isDone() && !broker.isAlive())) {
            return "broker ended by itself";
        }
        return null;
    }

    /** What went wrong on this stage, with where to look. */
    public DemoProcessException failure(String what) {
        return new DemoProcessException(what + "; the logs are in " + folder);
    }

    public Path folder() {
        return folder;
    }

    /** Ends everything at once. Whoever asks again finds it done. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            processes.forEach(JavaProcess::close);
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
            // What is left is in the folder for temporary files.
        }
    }
}
