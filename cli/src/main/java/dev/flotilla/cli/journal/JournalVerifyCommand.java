package dev.flotilla.cli.journal;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
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
public final class JournalVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private JournalVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new JournalVerifyCommand(terminal));
        HelpExamples.set(command, "flotilla journal verify", "flotilla journal verify --output json");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::verify);
    }

    private int verify(FleetKafkaClient kafka) {
        kafka.sites();
        // The head first: the journal that is read after it has at least all that it names.
        FleetHead head = kafka.read(List.of()).head();
        try (PartitionReader reader = kafka.reader(JournalReader.journalPartition())) {
            JournalVerifier verifier = new JournalVerifier(JournalReader.beginning(reader) == 0, head);
            JournalReader.readAll(reader, verifier::verifyRecord);
            JournalVerificationResult verdict = verifier.finishVerification();
            output.print(
                    terminal,
                    () -> JournalVerificationText.lines(verdict),
                    () -> JournalVerificationText.json(verdict));
            return verdict.holds() ? ExitCode.DONE : ExitCode.NO;
        }
    }
}
