package dev.flotilla.e2e.arena;

import dev.flotilla.e2e.fault.BrokenOrchestrator;
import dev.flotilla.e2e.fault.OrchestratorGateFault;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.kafka.BrokerProcess;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.process.ComponentClassPaths;
import dev.flotilla.testkit.sites.SimulatedSites;
import dev.flotilla.testkit.sites.SitesFleetLayout;
import dev.flotilla.testkit.sites.SitesSpec;
import dev.flotilla.testkit.tables.TableWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A fleet with all its processes, in one folder: broker, auditor, simulated sites, and orchestrators that the test
 * starts.
 */
public final class FleetTestBed implements AutoCloseable {
    /** Timeout for a busy machine; far longer than a passing test waits. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String LOOPBACK = "127.0.0.1:0";
    private static final String ORCHESTRATOR = "dev.flotilla.orchestrator.Main";
    private static final String ORCHESTRATORS_HEAP = "-Xmx160m";
    private static final String AUDITORS_HEAP = "-Xmx256m";

    private final Path folder;
    private final int cap;
    private final SitesSpec spec;
    private final List<BrokerProcess> brokers;
    private final String bootstrap;
    private final ChildProcess auditor;
    private final SimulatedSites sites;
    private final JournalFollower journal;
    private final List<ChildProcess> orchestrators = new CopyOnWriteArrayList<>();
    private final Thread atExit = new Thread(this::end, "end");
    private int started;

    private FleetTestBed(
            Path folder, List<BrokerProcess> brokers, String bootstrap, SitesSpec spec, int cap, List<String> auditing)
            throws IOException {
        this.folder = folder;
        this.cap = cap;
        this.spec = spec;
        this.brokers = brokers;
        this.bootstrap = bootstrap;
        Runtime.getRuntime().addShutdownHook(atExit);
        this.auditor = startAuditor("auditor", auditing.toArray(new String[0]));
        this.sites = SimulatedSites.start(bootstrap, spec, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.journal = new JournalFollower(bootstrap);
        setCap(cap);
    }

    /** Opens a test bed with a single broker and without an orchestrator. */
    public static FleetTestBed open(String name, SitesSpec spec, int cap) {
        return open(name, BrokerLayout.ALONE, spec, cap, List.of());
    }

    /** Opens a test bed with a broker layout. */
    public static FleetTestBed open(String name, BrokerLayout brokerLayout, SitesSpec spec, int cap) {
        return open(name, brokerLayout, spec, cap, List.of());
    }

    /** Opens a test bed whose auditor freezes the fleet on a violation. */
    public static FleetTestBed openWithFreezingAuditor(String name, SitesSpec spec, int cap) {
        return open(name, BrokerLayout.ALONE, spec, cap, List.of("--freeze"));
    }

    private static FleetTestBed open(
            String name, BrokerLayout brokerLayout, SitesSpec spec, int cap, List<String> auditing) {
        try {
            Path folder = createFolder(name);
            List<BrokerProcess> brokers = BrokerProcess.quorum(brokerLayout.brokers(), folder, Map.of());
            BrokerProcess.startAll(brokers);
            try {
                brokerLayout.createTopics(bootstrap(brokers), new SitesFleetLayout(spec).sites());
                return new FleetTestBed(folder, brokers, bootstrap(brokers), spec, cap, auditing);
            } catch (IOException | InterruptedException | RuntimeException e) {
                brokers.forEach(BrokerProcess::kill);
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Opens a test bed on a broker that is the caller's. */
    public static FleetTestBed openOn(String name, String bootstrap, SitesSpec spec, int cap)
            throws IOException, InterruptedException {
        BrokerLayout.ALONE.createTopics(bootstrap, new SitesFleetLayout(spec).sites());
        return new FleetTestBed(createFolder(name), List.of(), bootstrap, spec, cap, List.of());
    }

    private static Path createFolder(String name) throws IOException {
        Path parent = Files.createDirectories(Path.of(System.getProperty("flotilla.e2e.folder", "target/e2e")));
        return Files.createTempDirectory(parent, name + "-");
    }

    private static String bootstrap(List<BrokerProcess> brokers) {
        return brokers.stream().map(BrokerProcess::bootstrap).collect(Collectors.joining(","));
    }

    /** Starts another orchestrator, as {@code orchestrator-N}, with options of the JVM. */
    public ChildProcess startOrchestrator(String... options) {
        return startOrchestrator(ORCHESTRATOR, List.of(options), List.of());
    }

    /** Starts another orchestrator that begins a journal chapter after each MiB. */
    public ChildProcess startOrchestratorOfShortChapters() {
        return startOrchestrator(ORCHESTRATOR, List.of(), List.of("--chapter-mebibytes", "1"));
    }

    /** Starts an orchestrator with a fault. */
    public ChildProcess startOrchestrator(OrchestratorGateFault orchestratorGateFault) {
        return startOrchestrator(
                BrokenOrchestrator.class.getName(),
                List.of("-D" + OrchestratorGateFault.PROPERTY + "=" + orchestratorGateFault),
                List.of());
    }

    private ChildProcess startOrchestrator(String main, List<String> options, List<String> more) {
        String name = "orchestrator-" + ++started;
        List<String> all = new ArrayList<>(List.of(ORCHESTRATORS_HEAP));
        all.addAll(options);
        List<String> arguments = new ArrayList<>(List.of("--bootstrap", bootstrap, "--instance", name));
        arguments.addAll(more);
        ChildProcess orchestrator = startComponent(folder, name, ComponentClassPaths.own(), all, main, arguments);
        orchestrators.add(orchestrator);
        return orchestrator;
    }

    /** Starts another auditor, which the caller must close. */
    public ChildProcess startAuditor(String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--bootstrap", bootstrap, "--listen", LOOPBACK));
        arguments.addAll(List.of(more));
        return startComponent(
                folder,
                name,
                ComponentClassPaths.auditor(),
                List.of(AUDITORS_HEAP),
                "dev.flotilla.auditor.Main",
                arguments);
    }

    /** Starts a component as a process, with options of its JVM. */
    public static ChildProcess startComponent(
            Path folder, String name, String classPath, List<String> options, String main, List<String> arguments) {
        List<String> all = new ArrayList<>(ChildProcess.quickStartOptions(classPath));
        all.add(ChildProcess.LOG_OPTION);
        all.add("-XX:+ExitOnOutOfMemoryError");
        all.addAll(options);
        return ChildProcess.startJvm(name, folder, classPath, all, main, arguments);
    }

    /** Kafka settings of this fleet. */
    public KafkaClientSettings kafka() {
        return KafkaClientSettings.forLocalBroker(bootstrap);
    }

    /** Waits until the orchestrator has read every machine and receives heartbeats of every site. */
    public void awaitKnown() {
        journal.await(
                "every machine is known",
                PATIENCE,
                () -> journal.machines().size() == spec.machines() && journal.connectedSites() == spec.sites());
    }

    /** Writes a campaign, as an operator would. */
    public void startCampaign(TestCampaign testCampaign) {
        write(Table.CAMPAIGNS, testCampaign.campaign());
    }

    /** Sets the fleet's cap, as an operator would. */
    public void setCap(int inFlight) {
        write(Table.POLICIES, TestCampaign.policy(inFlight));
    }

    /** Freezes or unfreezes the fleet, as an operator would. */
    public void freeze(boolean frozen) {
        write(
                Table.FREEZES,
                new OperatorOrder(
                        new OperatorOrderKey.FreezeFleet(),
                        frozen ? "freeze" : "unfreeze",
                        "ada",
                        "a test",
                        null,
                        frozen ? OperatorOrder.OrderVerb.FREEZE : OperatorOrder.OrderVerb.UNFREEZE));
    }

    /** The auditor's report, once it has read all records written so far. */
    public ProcessHttpClient.ProcessHttpResponse auditedSeq() {
        URI report = auditor.awaitAddress().resolve("/report");
        ProcessHttpClient.ProcessHttpResponse[] last = new ProcessHttpClient.ProcessHttpResponse[1];
        journal.await("the auditor has read everything", PATIENCE, () -> {
            last[0] = ProcessHttpClient.get(report);
            return last[0] != null && last[0].flag("caughtUp") && last[0].whole("seq") >= journal.seq();
        });
        return last[0];
    }

    private void write(Table table, TableRow row) {
        try (TableWriter writer = new TableWriter(bootstrap, failure -> {
            throw new IllegalStateException("writing to " + table.label(), failure);
        })) {
            writer.write(TablePartition.of(table), row, () -> {});
            writer.flush();
        }
    }

    /** Role that an orchestrator reports; empty if it does not answer. */
    public static String replicaRole(ChildProcess orchestrator) {
        ProcessHttpClient.ProcessHttpResponse processHttpResponse = orchestrator.isReady()
                ? ProcessHttpClient.get(orchestrator.awaitAddress().resolve("/readyz"))
                : null;
        return processHttpResponse == null ? "" : processHttpResponse.text("status");
    }

    /** The orchestrator that reports itself as leader; null for none. */
    public @Nullable ChildProcess leader() {
        for (ChildProcess each : orchestrators) {
            if (replicaRole(each).equals("leader")) {
                return each;
            }
        }
        return null;
    }

    /** Waits until there is a leader. */
    public ChildProcess awaitLeader() {
        ChildProcess[] found = new ChildProcess[1];
        journal.await("there is a leader", PATIENCE, () -> (found[0] = leader()) != null);
        return found[0];
    }

    /** Waits until an orchestrator reports a role. */
    public void awaitReplicaRole(ChildProcess orchestrator, String what) {
        journal.await(
                orchestrator.name() + " is " + what,
                PATIENCE,
                () -> replicaRole(orchestrator).equals(what));
    }

    /** Stops closing an orchestrator at the end, because it has ended or the test closes it. */
    public void stopTracking(ChildProcess orchestrator) {
        orchestrators.remove(orchestrator);
    }

    /** Bootstrap brokers. */
    public String bootstrap() {
        return bootstrap;
    }

    /** The only broker, or the one of the first site. */
    public BrokerProcess broker() {
        return broker(1);
    }

    public BrokerProcess broker(int number) {
        return brokers.get(number - 1);
    }

    public JournalFollower journal() {
        return journal;
    }

    public int cap() {
        return cap;
    }

    public Path folder() {
        return folder;
    }

    SimulatedSites sites() {
        return sites;
    }

    /** Stops the simulated sites, so that only orchestrators write. */
    public void stopSites() {
        sites.close();
    }

    private void end() {
        orchestrators.forEach(ChildProcess::close);
        auditor.close();
        brokers.forEach(BrokerProcess::kill);
    }

    @Override
    public void close() {
        sites.close();
        journal.close();
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
