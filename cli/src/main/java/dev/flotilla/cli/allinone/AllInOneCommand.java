package dev.flotilla.cli.allinone;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code flotilla all-in-one}. */
@Command(
        name = "all-in-one",
        mixinStandardHelpOptions = true,
        header = "Runs everything on this machine, in front of your own management cluster.",
        description = {
            "For a laptop, a lab or one small site: a broker that keeps its data, an orchestrator, the auditor, a"
                    + " management-watcher, a node-worker and a node-upgrader, each a process.",
            "It installs Flotilla's CRDs and, in the workload clusters, the roles of node-worker and node-upgrader. It"
                    + " changes no machine until you request it: by an annotation, an UpgradeTask or a campaign. At most"
                    + " one machine is upgraded at a time, until you write another policy.",
            "It runs until Ctrl-C. Started again with the same --data, it goes on where it was.",
            "Exit codes: 2 wrong usage, 3 the management cluster or something else cannot be reached, 130 ended by"
                    + " Ctrl-C."
        })
public final class AllInOneCommand implements Callable<Integer>, CommandErrorReporter {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration INVENTORY_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);
    private static final int REQUESTS_AT_ONCE = 4;

    /** Where nothing is upgraded, anything can be said to be. */
    private static final String SIMULATED_SETTINGS = """
            uncovered: stop
            apply.KubeadmConfig: files, preKubeadmCommands, postKubeadmCommands, clusterConfiguration
            """;

    /** After how many rounds clusters that have come since get their roles. */
    private static final int ROUNDS_PER_INSTALL = 10;

    private final Terminal terminal;

    @Mixin
    private AllInOneOptions options = new AllInOneOptions();

    @Spec
    private @Nullable CommandSpec calledCommand;

    /** Whether the user has ended it, so that processes are expected to end. */
    private final CountDownLatch ending = new CountDownLatch(1);

    private AllInOneCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new AllInOneCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla all-in-one --kubeconfig ~/.kube/config",
                "flotilla all-in-one --kubeconfig lab.kubeconfig --site lab --upgrader simulated",
                "flotilla all-in-one --kubeconfig site.kubeconfig --data /var/lib/flotilla --listen 127.0.0.1:8080");
        return command;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() throws InterruptedException {
        List<String> problems = options.findProblems();
        if (!problems.isEmpty()) {
            return reportUsageErrors(terminal, problems);
        }
        try (KubeApiClient api =
                KubeApiClient.open(options.kubeconfig(), REQUEST_TIMEOUT, REQUESTS_AT_ONCE, System::nanoTime)) {
            return runWith(api);
        } catch (IOException e) {
            return reportUsageErrors(terminal, List.of(String.valueOf(e.getMessage())));
        } catch (AllInOneException e) {
            return reportUnreachable(terminal, String.valueOf(e.getMessage()));
        }
    }

    private int runWith(KubeApiClient api) throws AllInOneException, InterruptedException {
        ManagementClusterSetup cluster = new ManagementClusterSetup(api, options.kubeconfig());
        cluster.checkReachable();
        try (AllInOneProcesses processes = AllInOneProcesses.open(options.data());
                SimulatedNodeUpgrader simulated = new SimulatedNodeUpgrader(api)) {
            Thread interrupted = new Thread(() -> end(processes), "interrupted");
            Runtime.getRuntime().addShutdownHook(interrupted);
            try {
                return start(cluster, new WorkloadRoles(api), processes, simulated);
            } finally {
                removeHook(interrupted);
            }
        }
    }

    private void end(AllInOneProcesses processes) {
        ending.countDown();
        processes.close();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown hook runs already.
        }
    }

    private int start(
            ManagementClusterSetup cluster,
            WorkloadRoles roles,
            AllInOneProcesses processes,
            SimulatedNodeUpgrader simulated)
            throws AllInOneException, InterruptedException {
        try {
            SiteId site = options.site();
            // Everything else takes a while to start, so a user who may not read the machines learns it before.
            cluster.readMachines();
            if (options.installsCrds()) {
                note("installing CRDs");
                cluster.installDefinitions();
            } else {
                cluster.requireDefinitions(Duration.ZERO);
            }
            installRoles(roles);
            note("starting the broker");
            processes.startBroker();
            TopicCreator.createTopics(processes.bootstrap(), List.of(site));
            note("starting orchestrator, auditor, watcher, worker and node-upgrader");
            processes.startOrchestrator(options.listen());
            processes.startAuditor();
            processes.startSiteService("watcher", "management-watcher", site, options.kubeconfig());
            processes.startSiteService("worker", "node-worker", site, options.kubeconfig());
            if (options.upgrader() == NodeUpgraderMode.JOBS) {
                processes.startNodeUpgrader(options.kubeconfig());
            } else {
                cluster.createSimulatedTemplates();
                simulated.start();
            }
            AllInOneOptions.ExtensionOptions extension = options.extension();
            if (extension != null) {
                cluster.createExtensionNamespace();
                processes.startExtension(
                        options.kubeconfig(),
                        extension,
                        options.upgrader() == NodeUpgraderMode.SIMULATED ? SIMULATED_SETTINGS : "uncovered: stop\n");
            }
            processes.awaitReady();
            ManagementClusterSetup.FoundMachines found = cluster.readMachines();
            SiteMachines machines = SiteMachines.read(processes.bootstrap(), site, found.machines(), INVENTORY_TIMEOUT);
            UpgradePolicy policy = FleetPolicyWriter.read(processes.bootstrap());
            FirstTemplateRule templateRule = null;
            if (policy == null) {
                NodeUpgradeTemplateRef template = cluster.findOnlyTemplate();
                policy = template == null
                        ? FleetPolicyWriter.withoutTemplate()
                        : FleetPolicyWriter.withTemplate(template, machines.allHaveNodeUpgrades());
                FleetPolicyWriter.write(processes.bootstrap(), policy);
                templateRule = template == null
                        ? new FirstTemplateRule(
                                cluster,
                                processes.bootstrap(),
                                site,
                                policy,
                                options.upgrader() == NodeUpgraderMode.SIMULATED)
                        : null;
            }
            URI page = pageOf(processes);
            AllInOneText.describe(
                            options,
                            processes,
                            found.clusters(),
                            machines,
                            FleetPolicyWriter.namesTemplate(policy),
                            page)
                    .forEach(terminal.out()::println);
            terminal.out().flush();
            writeEndpoints(processes, page);
            note("ready; Ctrl-C ends it");
            return superviseUntilInterrupted(processes, roles, templateRule);
        } catch (AllInOneException | RuntimeException e) {
            if (ending.getCount() == 0) {
                // The processes end because the user has ended this one.
                Thread.currentThread().join();
            }
            throw e;
        }
    }

    private static URI pageOf(AllInOneProcesses processes) {
        ChildProcess orchestrator = Objects.requireNonNull(processes.running().get(AllInOneProcesses.ORCHESTRATOR));
        return orchestrator.awaitAddress();
    }

    private void installRoles(WorkloadRoles roles) {
        if (options.installsRoles()) {
            roles.install().forEach(this::note);
        }
    }

    private int superviseUntilInterrupted(
            AllInOneProcesses processes, WorkloadRoles roles, @Nullable FirstTemplateRule templateRule)
            throws InterruptedException {
        long rounds = 0;
        while (!ending.await(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
            rounds++;
            if (rounds % ROUNDS_PER_INSTALL == 0) {
                installRoles(roles);
                String added = templateRule == null ? null : templateRule.addOnce();
                if (added != null) {
                    note(added);
                }
            }
            List<String> restarted = processes.restartEnded();
            restarted.forEach(what -> note(what + " has ended unexpectedly and is started again; its log is "
                    + processes.folder().resolve(what + ".log")));
            if (!restarted.isEmpty() && options.endpoints() != null) {
                writeEndpoints(processes, pageOf(processes));
            }
        }
        // The user has ended this process, and its shutdown hook ends the others.
        Thread.currentThread().join();
        return ExitCode.INTERRUPTED;
    }

    private void writeEndpoints(AllInOneProcesses processes, URI page) {
        String file = options.endpoints();
        String failed = file == null
                ? null
                : JsonFileOption.write(
                        "--endpoints", file, JsonFormatter.format(AllInOneText.endpoints(options, processes, page)));
        if (failed != null) {
            note(failed);
        }
    }

    private void note(String text) {
        terminal.note("flotilla all-in-one: " + text);
    }
}
