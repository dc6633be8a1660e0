package dev.flotilla.cli.journal;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Output;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.runtime.kafka.PartitionReader;
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
            "Checks the journal's chain of hashes and the checkpoint of each chapter.",
            "The chain shows that nothing was changed, taken out or put in. A checkpoint must have the rows to which the chapter",
            "before leads, so that a chapter alone gives any instant in it. It reads the whole journal that is kept, and holds a",
            "number for each row of the fleet.",
            "Exit: 0 all of it holds, 1 it does not."
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
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalVerifier verifier = new JournalVerifier(JournalReader.beginning(reader) == 0, head);
            JournalReader.readAll(reader, verifier::verifyRecord);
            JournalVerificationResult verdict = verifier.finishVerification();
            output.tell(terminal, () -> Verified.lines(verdict), () -> Verified.json(verdict));
            return verdict.holds() ? Exit.DONE : Exit.NO;
        }
    }
}
