package dev.flotilla.cli.journal;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
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
            "Verifies the hash chain of the journal and the checkpoint of each chapter.",
            "An intact chain shows that no record was changed, removed or inserted. A checkpoint must equal the rows"
                    + " to which the",
            "chapter before it leads. Reads all of the journal that is kept, and keeps one hash in memory for each"
                    + " row.",
            "Exit codes: 0 the journal is intact, 1 it is not, 3 no broker reachable."
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
        // The head is read first, so that the journal read after it contains at least the records that the head names.
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
