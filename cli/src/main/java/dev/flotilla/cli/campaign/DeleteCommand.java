package dev.flotilla.cli.campaign;

import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.kafka.Snapshot;
import dev.flotilla.cli.kafka.Waiting;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Caller;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla campaign delete}. */
@Command(
        name = "delete",
        aliases = "remove",
        mixinStandardHelpOptions = true,
        description = "Takes a campaign away. One that is not over is aborted by it.")
public final class DeleteCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The campaign.")
    private String name = "";

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Waiting waiting = new Waiting();

    private DeleteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new DeleteCommand(terminal));
        Examples.set(command, "flotilla campaign delete spring", "flotilla campaign delete spring --wait 60");
        return command;
    }

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>(waiting.problems());
        problems.addAll(Caller.problemsOfCampaign(name));
        return problems.isEmpty() ? connection.run(terminal, this::delete) : connection.wrong(terminal, problems);
    }

    private int delete(FleetKafka kafka) {
        Snapshot tables = kafka.read(Table.CAMPAIGNS);
        RowKey at = new RowKey(Table.CAMPAIGNS, new CampaignName(name));
        boolean known = tables.undecided().stream().anyMatch(fact -> fact.at().equals(at))
                || tables.rows(Campaign.class).stream().anyMatch(row -> row.at().equals(at));
        if (!known) {
            return connection.no(terminal, "there is no campaign " + name);
        }
        return waiting.tell(
                kafka.submit(new Gone(at), waiting.duration()), "campaign " + name, "deleted", connection, terminal);
    }
}
