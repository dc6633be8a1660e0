package dev.flotilla.cli.clusterapi;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.CommandGroup;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.file.TextFileResult;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFileOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.clusterapi.coverage.CoverageSettings;
import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.clusterapi.delegate.DelegateFile;
import dev.flotilla.clusterapi.delegate.UpdateDelegate;
import dev.flotilla.clusterapi.plan.InPlacePlan;
import dev.flotilla.clusterapi.plan.InPlacePlanner;
import dev.flotilla.clusterapi.plan.LiveClusterReader;
import dev.flotilla.clusterapi.plan.ManifestText;
import dev.flotilla.clusterapi.plan.PlanInput;
import dev.flotilla.clusterapi.plan.PlanResult;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.UserKubeconfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code flotilla cluster-api plan}. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Tells before an edit of a KubeadmControlPlane, MachineDeployment, Cluster or template which machines Cluster"
                    + " API would update in place, which it would replace, and why. Changes nothing.",
            "It judges as the extension does, by the ExtensionConfig that is among the objects and selects the namespace,"
                    + " otherwise by the defaults. Values that may be secret are not shown.",
            "FILEs are what kubectl get -o yaml prints: the Cluster, its Machines, MachineSets, MachineDeployments, control"
                    + " plane, their templates, the ExtensionConfig and the Namespace. Or name a live cluster with"
                    + " --kubeconfig and --cluster.",
            "The change has whole objects or parts of them with apiVersion, kind and metadata.name, and is merged as kubectl"
                    + " apply does. A null removes a field.",
            "Exit codes: 0 no machine is replaced or held, 1 a machine would be replaced or held, 2 wrong usage or files, or no"
                    + " such cluster, 3 the management cluster cannot be read."
        })
public final class ClusterApiPlanCommand implements Callable<Integer>, CommandErrorReporter {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";

    private final Terminal terminal;
    private final List<String> problems = new ArrayList<>();

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "YAML or JSON with the objects as they are; - is stdin.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--change", paramLabel = "FILE", required = true, description = "The edit, YAML or JSON.")
    private String change = "";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Read the objects from this management cluster.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--cluster",
            paramLabel = "NAMESPACE/NAME",
            description = "The cluster. Needed with --kubeconfig, and if the files have several.")
    private @Nullable String cluster;

    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description =
                    "The extension's settingsFile (settings.yaml of its ConfigMap), which an ExtensionConfig adds to."
                            + " Default: the defaults in docs/cluster-api.md.")
    private @Nullable Path settings;

    @Option(
            names = "--delegates",
            paramLabel = "FILE",
            description =
                    "The extension's delegatesFile: the fields that a delegate applies are covered. The files with CAs"
                            + " that it names need not exist here. Default: no delegates.")
    private @Nullable Path delegates;

    @Spec
    private @Nullable CommandSpec calledCommand;

    @Mixin
    private JsonFileOption json = new JsonFileOption();

    private ClusterApiPlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns the group {@code flotilla cluster-api}. */
    public static CommandLine group(Terminal terminal) {
        CommandLine group = CommandGroup.of("cluster-api", "Plan edits of Cluster API's objects.", terminal);
        CommandLine plan = new CommandLine(new ClusterApiPlanCommand(terminal));
        String example = "flotilla cluster-api plan examples/cluster-api/plan/cluster.yaml --change"
                + " examples/cluster-api/plan/version.yaml";
        HelpExamples.set(
                plan,
                example,
                "flotilla cluster-api plan --kubeconfig management.kubeconfig --cluster fleet/blue --change edit.yaml");
        group.addSubcommand(plan);
        HelpExamples.set(group, example);
        return group;
    }

    @Override
    public @Nullable CommandSpec commandSpec() {
        return calledCommand;
    }

    @Override
    public Integer call() {
        checkOptions();
        List<KubeObject> changes = read(List.of(change));
        List<KubeObject> present = read(files);
        CoverageTable defaults = readDefaults();
        if (!problems.isEmpty()) {
            return reportUsageErrors(terminal, problems);
        }
        if (kubeconfig == null) {
            return print(present, changes, defaults);
        }
        try (KubeApiClient api = UserKubeconfig.open(kubeconfig, TIMEOUT, 1)) {
            return planLive(api, changes, defaults);
        } catch (IOException unfit) {
            return reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        }
    }

    private void checkOptions() {
        if (kubeconfig == null && files.isEmpty()) {
            problems.add("name FILEs with the present objects, or --kubeconfig FILE and --cluster NAMESPACE/NAME");
        } else if (kubeconfig != null && !files.isEmpty()) {
            problems.add("give either FILEs or --kubeconfig, not both: " + files.getFirst());
        } else if (kubeconfig != null && cluster == null) {
            problems.add("--kubeconfig needs --cluster NAMESPACE/NAME");
        }
        if (cluster != null && !cluster.matches(NAME + "/" + NAME)) {
            problems.add("--cluster " + cluster + " is not NAMESPACE/NAME, such as fleet/blue");
        }
        String unwritable = json.findProblem();
        if (unwritable != null) {
            problems.add(unwritable);
        }
    }

    private List<KubeObject> read(List<String> names) {
        List<KubeObject> objects = new ArrayList<>();
        for (String each : names) {
            switch (TextFileResult.read(each)) {
                case TextFileResult.UnreadableFile unreadable -> problems.add(unreadable.problem());
                case TextFileResult.FileText text -> {
                    ManifestText manifest = ManifestText.read(each, text.text());
                    objects.addAll(manifest.objects());
                    problems.addAll(manifest.problems());
                }
            }
        }
        return objects;
    }

    private CoverageTable readDefaults() {
        CoverageTable table = CoverageTable.DEFAULT;
        String text = settings == null ? null : readOption("--settings", settings, "the settings.yaml");
        if (text != null) {
            switch (CoverageSettings.readFile(text)) {
                case CoverageSettings.SettingsResult.ValidSettings valid -> table = valid.table();
                case CoverageSettings.SettingsResult.InvalidSettings invalid ->
                    problems.add("--settings " + settings + ": " + invalid.problem());
            }
        }
        if (delegates != null && readOption("--delegates", delegates, "the delegatesFile") != null) {
            try {
                return UpdateDelegate.addFields(DelegateFile.readRemotely(delegates), table);
            } catch (IOException e) {
                problems.add("--delegates: " + e.getMessage());
            }
        }
        return table;
    }

    /** Reads the file of an option; null if it cannot be read. */
    private @Nullable String readOption(String option, Path file, String what) {
        return switch (TextFileResult.read(file.toString())) {
            case TextFileResult.FileText text -> text.text();
            case TextFileResult.UnreadableFile unreadable -> {
                problems.add(option + " " + unreadable.problem() + ": name " + what
                        + " of the extension, or leave the option out to judge by the defaults");
                yield null;
            }
        };
    }

    private int planLive(KubeApiClient api, List<KubeObject> changes, CoverageTable defaults) {
        if (api.get("/version") instanceof KubeResponse.NoResponse silent) {
            return reportUnreachable(
                    terminal,
                    api.root() + " does not answer: " + silent.message()
                            + ": check that it runs and can be reached from here");
        }
        String[] names = String.valueOf(cluster).split("/", 2);
        LiveClusterReader.LiveObjects live = LiveClusterReader.read(api, names[0], names[1], changes);
        if (!live.problems().isEmpty()) {
            if (live.isMissing()) {
                return reportUsageErrors(terminal, live.problems());
            }
            live.problems().forEach(problem -> reportUnreachable(terminal, problem));
            return ExitCode.UNREACHABLE;
        }
        return print(live.objects(), changes, defaults);
    }

    private int print(List<KubeObject> present, List<KubeObject> changes, CoverageTable defaults) {
        return switch (InPlacePlanner.plan(new PlanInput(
                present,
                changes,
                cluster,
                defaults,
                kubeconfig != null,
                InstantSource.system().instant()))) {
            case PlanResult.InvalidInput invalid -> reportUsageErrors(terminal, invalid.problems());
            case PlanResult.Planned planned -> {
                InPlacePlanReport report = new InPlacePlanReport(planned.plan());
                report.lines().forEach(json.humanOutput(terminal)::println);
                String unwritten = json.write(report.json(), terminal);
                if (unwritten != null) {
                    terminal.note(unwritten);
                    yield ExitCode.USAGE;
                }
                yield planned.plan().answer() == InPlacePlan.PlanAnswer.IN_PLACE ? ExitCode.DONE : ExitCode.NO;
            }
        };
    }
}
