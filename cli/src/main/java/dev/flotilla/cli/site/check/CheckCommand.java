package dev.flotilla.cli.site;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.JsonText;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.schemas.id.Names;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.tree.Obj;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla site check}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks that a site has what an upgrade needs: brokers, topics, their settings and replicas, rights.",
            "Each verdict is ok, differs (harmless), unknown (we may not ask) or FAILED, with what to do.",
            "Exit: 0 nothing failed, 1 something did, 3 no broker answers."
        })
public final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "The site.")
    private String name = "";

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new CheckCommand(terminal));
        Examples.set(command, "flotilla site check east", "flotilla site check east --output json");
        return command;
    }

    @Override
    public Integer call() {
        String problem = Names.problemOfOwnName(name);
        return problem == null
                ? connection.run(terminal, this::check)
                : connection.wrong(terminal, List.of("\"" + name + "\" is no name of a site: it " + problem));
    }

    private int check(FleetKafka kafka) {
        List<Verdict> verdicts = new SiteChecks(kafka, new SiteId(name)).all();
        boolean met = verdicts.stream().noneMatch(verdict -> verdict.word() == Verdict.Word.FAILED);
        output.tell(
                terminal,
                () -> verdicts.stream().map(Verdict::line).toList(),
                () -> new Obj.Builder()
                        .put("site", name)
                        .put("met", met)
                        .put(
                                "checks",
                                JsonText.list(
                                        verdicts.stream().map(Verdict::json).toList()))
                        .build());
        return met ? Exit.DONE : Exit.NO;
    }
}
