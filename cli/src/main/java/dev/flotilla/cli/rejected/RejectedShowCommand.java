package dev.flotilla.cli.rejected;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.kafka.RowJson;
import dev.flotilla.cli.kafka.WaitOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.OutputOption;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code flotilla rejected show}. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Shows a rejected record and how to resolve it.",
            "It prints what is wrong and where, what it blocks, which row stays in force, and a command that reads"
                    + " the record."
        })
public final class RejectedShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(
            paramLabel = "RECORD",
            description = "Record, as `flotilla rejected list` names it:" + " <topic>/<partition>/<key>.")
    private String record = "";

    @Mixin
    private KafkaConnectionOption connection = new KafkaConnectionOption();

    @Mixin
    private OutputOption output = new OutputOption();

    private RejectedShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new RejectedShowCommand(terminal));
        HelpExamples.set(
                command,
                "flotilla rejected show flotilla.campaigns/0/k8s-1-33",
                "flotilla rejected show --output json flotilla.policies/0/fleet");
        return command;
    }

    @Override
    public Integer call() {
        return connection.run(terminal, this::show);
    }

    private int show(FleetKafkaClient kafka) {
        RejectedRecord found = kafka.read(Table.REJECTED).rows(RejectedRecord.class).stream()
                .filter(row -> row.key().toString().equals(record))
                .findFirst()
                .orElse(null);
        if (found == null) {
            return connection.reportNegativeAnswer(
                    terminal, "there is no rejected record \"" + record + "\"; `flotilla rejected list` lists them");
        }
        String read = "kcat -C -b " + kafka.brokers() + " -t " + found.key().topic() + " -p "
                + found.key().partition() + " -o " + found.offset() + " -c 1";
        output.print(
                terminal,
                () -> lines(found, read),
                () -> ((JsonObjectReader) RowJson.toJson(found))
                        .toBuilder().put("readCommand", read).build());
        return ExitCode.DONE;
    }

    private static List<String> lines(RejectedRecord row, String read) {
        List<String> lines = new ArrayList<>();
        lines.add(row.key() + ", offset " + row.offset() + ", rejected at " + row.rejectedAt());
        lines.add("Reason: " + WaitOption.describeRejection(row));
        lines.add(
                row.readable()
                        ? "The record is readable, but asks for something that is not allowed. It blocks nothing."
                        : "The record is unreadable. The row accepted before it stays in force; without one, nothing"
                                + " in its scope starts.");
        if (row.lastAccepted() instanceof TableRow accepted) {
            lines.add("Row that stays in force:");
            lines.addAll(RowJson.fields(accepted));
        }
        lines.add("Read it:  " + read);
        lines.add("Way out:  write a valid record under its key, or delete the object with a tombstone; either clears"
                + " this.");
        return lines;
    }
}
