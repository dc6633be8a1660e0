package dev.flotilla.cli.journal;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.FleetHead;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flotilla journal verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Checks that the journal's chain of hashes is whole: nothing was changed, taken out or put in.",
            "Exit: 0 it is intact, 1 it is broken."
        })
public final class VerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    private VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new VerifyCommand(terminal));
        Examples.set(command, "flotilla journal verify", "flotilla journal verify --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::verify);
    }

    private int verify(FleetKafka kafka) {
        kafka.sites();
        // The head first: the journal that is read after it has at least all that it names.
        FleetHead head = kafka.read(List.of()).head();
        try (PartitionReader reader = kafka.reader(JournalReading.place())) {
            ChainCheck check = new ChainCheck(JournalReading.beginning(reader) == 0, head);
            JournalReading.read(reader, check::take);
            check.end();
            output.tell(terminal, () -> lines(check), () -> json(check));
            return check.firstBroken() == null ? Exit.DONE : Exit.NO;
        }
    }

    private static List<String> lines(ChainCheck check) {
        Long broken = check.firstBroken();
        return List.of(
                broken == null
                        ? check.records() + " records, up to " + check.lastSeq() + ": the chain is intact"
                        : check.records() + " records: the chain is broken at " + broken + ": " + check.why());
    }

    private static Tree json(ChainCheck check) {
        Long broken = check.firstBroken();
        return new Obj.Builder()
                .put("records", check.records())
                .put("chain", broken == null ? "intact" : "broken")
                .put(
                        "firstBroken",
                        broken == null ? new Tree.Nothing(Tree.NO_LINE) : new Tree.Whole(broken, Tree.NO_LINE))
                .build();
    }
}
