package dev.flotilla.cli.campaign;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.RowTree;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Caller;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.core.explain.BlockedMachineCounter;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.GateChain;
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
        description = "Shows a campaign with its waves, and what waits at which gate.")
public final class GetCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The campaign.")
    private String name = "";

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private GetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new GetCommand(terminal));
        Examples.set(command, "flotilla campaign get spring", "flotilla campaign get spring --output json");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = Caller.problemsOfCampaign(name);
        return problems.isEmpty() ? connection.run(terminal, this::get) : connection.wrong(terminal, problems);
    }

    private int get(FleetKafka kafka) {
        Snapshot tables = kafka.readAll();
        Instant now = tables.now();
        FleetState state = tables.settled(now);
        CampaignRollout campaign = state.rollout(new CampaignName(name));
        if (campaign == null) {
            return connection.no(
                    terminal,
                    "the orchestrator has accepted no campaign " + name + "; `flotilla campaign list` lists them");
        }
        Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates = BlockedMachineCounter.explainByGate(state, GateChain.standard(), campaign, now);
        CampaignView view = CampaignView.of(state, campaign, now, gates);
        output.tell(terminal, () -> lines(view, gates), () -> json(view, gates));
        return Exit.DONE;
    }

    private static List<String> lines(CampaignView view, Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates) {
        List<String> lines = new ArrayList<>(view.lines());
        gates.forEach((gate, waiting) -> lines.add(CampaignView.says(gate, waiting)));
        return lines;
    }

    private static JsonObjectReader json(CampaignView view, Map<GateLabel, BlockedMachineCounter.BlockedMachines> gates) {
        JsonObjectReader.Builder waiting = new JsonObjectReader.Builder();
        gates.forEach((gate, machines) -> waiting.put(gate.label(), machines.machines()));
        return view.json().toBuilder()
                .put("gates", waiting.build())
                .put("accepted", RowTree.of(view.status().acceptedCampaign()))
                .build();
    }
}
