package dev.flotilla.cli.site.sync;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.site.ServiceAccount;
import dev.flotilla.cli.site.WorkerAccountOption;
import dev.flotilla.cli.site.WorkerRoleManifests;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeConnectionConfig;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.UserKubeconfig;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flotilla site sync}. */
@Command(
        name = "sync",
        mixinStandardHelpOptions = true,
        description = {
            "Brings the roles of a site's node-workers up to date with its clusters. Run it again whenever a cluster comes"
                    + " or goes, or as a CronJob.",
            "In the management cluster it applies what `flotilla site rbac` prints, for the Clusters that are there now."
                    + " In each workload cluster it applies the roles of `flotilla site rbac --workload`, with the"
                    + " kubeconfig that Cluster API keeps in a Secret. It needs no broker.",
            "It needs the rights to read these Secrets and to grant what the roles grant, such as an administrator's.",
            "Exit codes: 0 all roles are up to date, 1 those of some clusters are not, 2 wrong usage, 3 the management"
                    + " cluster cannot be reached or refuses."
        })
public final class SiteSyncCommand implements Callable<Integer>, CommandErrorReporter {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int REQUESTS_AT_ONCE = 8;
    private static final int MOST_NAMED = 20;

    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the site.")
    private String site = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "Kubeconfig of the site's management cluster. Default: the cluster in which this runs as a pod, or"
                            + " kubectl's current one.")
    private @Nullable Path kubeconfig;

    @Mixin
    private WorkerAccountOption account = new WorkerAccountOption();

    @Option(
            names = "--node-upgrader",
            description =
                    "Apply also what the node-upgrader needs in workload clusters, whose machines are upgraded by plans.")
    private boolean nodeUpgrader;

    @Option(names = "--no-workload", description = "Apply nothing in workload clusters.")
    private boolean noWorkload;

    @Option(
            names = "--prune",
            description =
                    "Delete the roles and certificate pins of clusters that are gone. Without it, they are named.")
    private boolean prune;

    @Spec
    private @Nullable CommandSpec calledCommand;

    private SiteSyncCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new SiteSyncCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla site sync east --kubeconfig east.kubeconfig",
                "flotilla site sync east --kubeconfig east.kubeconfig --prune",
                "flotilla site sync east --node-upgrader --service-account flotilla/worker");
        return command;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() throws InterruptedException, ExecutionException {
        List<String> problems = new ArrayList<>();
        problems.addAll(CommandErrorReporter.siteNameProblems(site));
        ServiceAccount worker = account.parse(problems);
        if (nodeUpgrader && noWorkload) {
            problems.add("--node-upgrader applies roles in workload clusters, and --no-workload none");
        }
        if (!problems.isEmpty() || worker == null) {
            return reportUsageErrors(terminal, problems);
        }
        try (KubeApiClient management = openManagementCluster()) {
            return sync(new SiteRoleSync(management, new SiteId(site), worker, terminal::note));
        } catch (IOException unusable) {
            return reportUsageErrors(terminal, List.of(String.valueOf(unusable.getMessage())));
        } catch (SiteRoleSync.ManagementClusterException refused) {
            return reportUnreachable(terminal, String.valueOf(refused.getMessage()));
        }
    }

    private KubeApiClient openManagementCluster() throws IOException {
        return kubeconfig == null
                ? new KubeApiClient(KubeConnectionConfig.open(null, TIMEOUT), REQUESTS_AT_ONCE)
                : UserKubeconfig.open(kubeconfig, TIMEOUT, REQUESTS_AT_ONCE);
    }

    private int sync(SiteRoleSync roles)
            throws SiteRoleSync.ManagementClusterException, InterruptedException, ExecutionException {
        List<ClusterKey> clusters = roles.clusters();
        List<KubeObject> stale = roles.applyManagementRoles(clusters);
        terminal.out().println("management cluster: roles for " + clusters.size() + " clusters are up to date");
        List<String> problems = new ArrayList<>();
        if (prune) {
            problems.addAll(roles.prune(
                    stale, each -> terminal.out().println("deleted " + RoleManifestApplier.describe(each))));
        } else {
            stale.forEach(each -> terminal.out()
                    .println("left of a cluster that is gone: " + RoleManifestApplier.describe(each)
                            + " (--prune deletes it)"));
        }
        if (!noWorkload) {
            List<String> failed = roles.applyWorkloadRoles(clusters, WorkerRoleManifests.workload(nodeUpgrader));
            terminal.out()
                    .println("workload clusters: roles in " + (clusters.size() - failed.size()) + " of "
                            + clusters.size() + " are up to date");
            problems.addAll(failed);
        }
        problems.stream().limit(MOST_NAMED).forEach(terminal::note);
        if (problems.size() > MOST_NAMED) {
            terminal.note("and " + (problems.size() - MOST_NAMED) + " more");
        }
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.NO;
    }
}
