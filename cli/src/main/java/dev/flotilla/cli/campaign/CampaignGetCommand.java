package dev.flotilla.cli.campaign;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign get}. */
@Command(
        name = "get",
        aliases = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Shows a campaign, its waves, and at which gates its machines wait.",
            "Shows how much of the failure budget is used, and the expected end at the present pace: the present number"
                    + " in flight, each for the median duration so far."
        })
public final class CampaignGetCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "Name of the campaign.")
    private String name = "";

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private CampaignGetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CampaignGetCommand(terminal));
        HelpExamples.set(command, "flotilla campaign get k8s-1-33", "flotilla campaign get k8s-1-33 --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = CommandErrorReporter.campaignNameProblems(name);
        return problems.isEmpty()
                ? connection.run(terminal, this::get)
                : connection.reportUsageErrors(terminal, problems);
    }

    private int get(FleetKafkaClient kafka) {
        TableSnapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.recountedState(now);
        CampaignRollout campaign = state.rollout(new CampaignName(name));
        if (campaign == null) {
            return connection.reportNegativeAnswer(
                    terminal,
                    "the orchestrator has not accepted a campaign " + name + "; `flotilla campaign list` lists the"
                            + " campaigns");
        }
        Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates =
                BlockedMachineCounter.explainByGate(state, GateChain.standard(), campaign, now);
        CampaignProgressView view = CampaignProgressView.of(state, campaign, now, gates);
        output.print(terminal, () -> lines(view, gates, now), () -> json(view, gates, now));
        return ExitCode.DONE;
    }

    private static List<String> lines(
            CampaignProgressView view, Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates, Instant now) {
        List<String> lines = new ArrayList<>(view.lines(now));
        gates.forEach((gate, waiting) -> lines.add(CampaignProgressView.describeWaiting(gate, waiting)));
        return lines;
    }

    private static JsonObjectReader json(
            CampaignProgressView view, Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates, Instant now) {
        JsonObjectReader.Builder waiting = new JsonObjectReader.Builder();
        gates.forEach((gate, machines) -> waiting.put(gate.label(), machines.machines()));
        return view.json(now).toBuilder()
                .put("gates", waiting.build())
                .put("acceptedCampaign", RowJson.toJson(view.status().acceptedCampaign()))
                .build();
    }
}
