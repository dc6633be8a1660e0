package dev.flotilla.cli.site;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.ClusterRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code flotilla site rbac}. */
@Command(
        name = "rbac",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the roles that a site's node-workers need, for kubectl apply.",
            "For the management cluster: one Role for each namespace with clusters. It names the Secrets of each"
                    + " cluster, so that"
                    + " workers can neither list nor create Secrets. Also an empty ConfigMap for the certificate pins"
                    + " of each cluster,"
                    + " because workers cannot create it; applying it again keeps the pins. Print and apply again"
                    + " when a cluster is"
                    + " added or deleted.",
            "With --workload: the roles for each workload cluster, where workers act as user flotilla:node-worker."
                    + " With --node-upgrader also its namespace, service account and roles there, for clusters whose"
                    + " machines are upgraded by plans.",
            "Clusters come from the site's inventory. Exit codes: 0 printed, 1 the inventory has no cluster, 2 wrong"
                    + " usage, 3 no"
                    + " broker reachable."
        })
public final class SiteRbacCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the site.")
    private String site = "";

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only this namespace. May be repeated.")
    private List<String> namespaces = new ArrayList<>();

    @Mixin
    private WorkerAccountOption workerAccount = new WorkerAccountOption();

    @Option(names = "--workload", description = "Print the roles of a workload cluster instead. Needs no broker.")
    private boolean workload;

    @Option(
            names = "--node-upgrader",
            description = "With --workload: also what the node-upgrader needs in a workload cluster.")
    private boolean nodeUpgrader;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    private SiteRbacCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteRbacCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla site rbac east | kubectl --kubeconfig east.kubeconfig apply -f -",
                "flotilla site rbac east --namespace fleet --service-account flotilla/worker",
                "flotilla site rbac east --workload | kubectl --kubeconfig k1.kubeconfig apply -f -",
                "flotilla site rbac east --workload --node-upgrader | kubectl --kubeconfig k1.kubeconfig apply -f -");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        problems.addAll(CommandErrorReporter.siteNameProblems(site));
        for (String namespace : namespaces) {
            String problem = NameValidator.problemOfLabel(namespace);
            if (problem != null) {
                problems.add("\"" + namespace + "\" is not a namespace: it " + problem);
            }
        }
        ServiceAccount account = workerAccount.parse(problems);
        if (nodeUpgrader && !workload) {
            problems.add("--node-upgrader needs --workload: in the management cluster apply"
                    + " deploy/node-upgrader/rbac-management.yaml");
        }
        if (!problems.isEmpty() || account == null) {
            return connection.reportUsageErrors(terminal, problems);
        }
        return workload
                ? print(WorkerRoleManifests.workload(nodeUpgrader))
                : connection.run(terminal, kafka -> printManagementRoles(kafka, account));
    }

    private int printManagementRoles(FleetKafkaClient kafka, ServiceAccount account) {
        SiteId id = new SiteId(site);
        if (!kafka.sites().contains(id)) {
            return connection.reportNegativeAnswer(
                    terminal, "there is no site " + id + "; `flotilla site list` lists the sites");
        }
        List<ClusterKey> clusters = kafka.read(List.of(id), Table.INVENTORY).rows(ClusterRow.class).stream()
                .map(ClusterRow::key)
                .filter(key -> namespaces.isEmpty() || namespaces.contains(key.namespace()))
                .toList();
        if (clusters.isEmpty()) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "the inventory of site " + id + " has no cluster"
                            + (namespaces.isEmpty()
                                    ? ": is its management-watcher running?"
                                    : namespaces.stream().collect(Collectors.joining(", ", " in ", ""))));
        }
        return print(WorkerRoleManifests.management(clusters, account));
    }

    private int print(String manifest) {
        terminal.out().print(manifest);
        terminal.out().flush();
        return ExitCode.DONE;
    }
}
