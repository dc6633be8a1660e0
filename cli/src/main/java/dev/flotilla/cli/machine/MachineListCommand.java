package dev.flotilla.cli.machine;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla machine list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists machines with the version of their node, their state, and the gate at which they wait.")
public final class MachineListCommand implements Callable<Integer> {
    private static final List<String> STATES = MachineSummary.selectableStates();
    private static final List<String> GATES =
            Stream.of(GateLabel.values()).map(GateLabel::label).toList();

    /** Values of {@code --state}, for completion. */
    static final class StateNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return STATES.iterator();
        }
    }

    /** Values of {@code --gate}, for completion. */
    static final class GateNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return GATES.iterator();
        }
    }

    /** Order of the machines. */
    enum SortOrder {
        name,
        since
    }

    private final Terminal terminal;

    @Option(names = "--site", paramLabel = "NAME", description = "Only machines of this site.")
    private @Nullable String site;

    @Option(names = "--cluster", paramLabel = "NAME", description = "Only machines of clusters of this name.")
    private @Nullable String cluster;

    @Option(
            names = "--campaign",
            paramLabel = "NAME",
            description = "Only machines of this campaign, also those that have ended in it, with their state in it.")
    private @Nullable String campaign;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            completionCandidates = StateNames.class,
            description =
                    "Only machines in this state, such as quarantined or refreshing; in-flight stands for each state of an"
                            + " open attempt. May be repeated.")
    private List<String> states = new ArrayList<>();

    @Option(
            names = "--gate",
            paramLabel = "GATE",
            completionCandidates = GateNames.class,
            description = "Only machines that wait at this gate. May be repeated.")
    private List<String> gates = new ArrayList<>();

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "Order of the machines: name, or since, which has those in flight for longest first. One of:"
                    + " ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private SortOrder sort = SortOrder.name;

    @Option(names = "--limit", paramLabel = "N", description = "Shows the first N machines only. Default: all.")
    private @Nullable Integer limit;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private MachineListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new MachineListCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla machine list --site east",
                "flotilla machine list --site east --cluster k1",
                "flotilla machine list --state quarantined --state unknown",
                "flotilla machine list --state in-flight --sort since --limit 20",
                "flotilla machine list --gate cap-fleet",
                "flotilla machine list --campaign k8s-1-33 --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        states.forEach(state -> problems.addAll(findProblems("--state", state, STATES)));
        gates.forEach(gate -> problems.addAll(findProblems("--gate", gate, GATES)));
        if (limit != null && limit < 1) {
            problems.add("--limit " + limit + " must be 1 or more");
        }
        return problems.isEmpty()
                ? connection.run(terminal, this::list)
                : connection.reportUsageErrors(terminal, problems);
    }

    private static List<String> findProblems(String option, String given, List<String> known) {
        if (known.contains(given)) {
            return List.of();
        }
        String near = SpellingSuggestion.nearest(given, known);
        return List.of(option + " " + given + " does not exist: "
                + (near == null ? "use one of " + String.join(", ", known) : "did you mean " + near + "?"));
    }

    private int list(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.recountedState(now);
        String unknown = describeUnknown(kafka, state);
        if (unknown != null) {
            return connection.reportNegativeAnswer(terminal, unknown);
        }
        CampaignRollout rollout = campaign == null ? null : state.rollout(new CampaignName(campaign));
        List<ListedMachine> found = new ArrayList<>();
        for (ClusterState each : state.clusters()) {
            if (matches(site, each.key().site().name())
                    && matches(cluster, each.key().name())) {
                for (MachineView machine : state.machines(each)) {
                    MachineSummary machineSummary = rollout == null
                            ? MachineExplainer.summarizeMachine(state, GateChain.standard(), machine, now)
                            : MachineExplainer.summarizeInCampaign(state, GateChain.standard(), rollout, machine, now);
                    if (machineSummary != null && matchesFilters(machineSummary)) {
                        found.add(ListedMachine.of(each, machine, machineSummary));
                    }
                }
            }
        }
        printMachines(found);
        return ExitCode.DONE;
    }

    private void printMachines(List<ListedMachine> found) {
        if (sort == SortOrder.since) {
            found.sort(ListedMachine.BY_START);
        }
        List<ListedMachine> shown = limit == null ? found : found.subList(0, Math.min(limit, found.size()));
        output.print(
                terminal,
                () -> ListedMachine.table(shown),
                () -> new JsonObjectReader.Builder()
                        .put(
                                "machines",
                                JsonFormatter.list(
                                        shown.stream().map(ListedMachine::json).toList()))
                        .build());
        if (shown.size() < found.size()) {
            terminal.note(shown.size() + " of " + found.size() + " machines are shown; --limit sets how many");
        }
    }

    /** Describes a filter value that does not exist; null if all exist. */
    private @Nullable String describeUnknown(FleetKafkaClient kafka, FleetState state) {
        if (site != null && kafka.sites().stream().noneMatch(each -> each.name().equals(site))) {
            return describeUnknown(
                    "site", site, kafka.sites().stream().map(SiteId::name).toList(), "`flotilla site list`");
        }
        if (cluster != null
                && state.clusters().stream().noneMatch(each -> each.key().name().equals(cluster))) {
            return describeUnknown(
                    "cluster",
                    cluster,
                    state.clusters().stream()
                            .map(each -> each.key().name())
                            .distinct()
                            .toList(),
                    "`flotilla machine list`");
        }
        if (campaign != null
                && state.campaigns().keySet().stream()
                        .noneMatch(each -> each.name().equals(campaign))) {
            return describeUnknown(
                    "campaign",
                    campaign,
                    state.campaigns().keySet().stream().map(CampaignName::name).toList(),
                    "`flotilla campaign list`");
        }
        return null;
    }

    private static String describeUnknown(String what, String given, List<String> known, String lists) {
        String near = SpellingSuggestion.nearest(given, known);
        return "there is no " + what + " " + given
                + (near == null ? "; " + lists + " lists all" : "; did you mean " + near + "?");
    }

    private static boolean matches(@Nullable String wanted, String name) {
        return wanted == null || wanted.equals(name);
    }

    private boolean matchesFilters(MachineSummary machineSummary) {
        return (states.isEmpty() || states.stream().anyMatch(machineSummary::isIn))
                && (gates.isEmpty()
                        || (machineSummary.gate() != null
                                && gates.contains(machineSummary.gate().label())));
    }
}
