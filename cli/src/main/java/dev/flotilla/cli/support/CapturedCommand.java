package dev.flotilla.cli.support;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * What another command printed about the fleet.
 *
 * @param exit its exit code
 * @param out its data
 * @param err its messages, on one line each
 */
record CapturedCommand(int exit, String out, String err) {

    /** Runs a command with an open client. */
    static CapturedCommand run(FleetKafkaClient kafka, Function<Terminal, CommandLine> command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal captured = new Terminal(new PrintWriter(out), new PrintWriter(err), 0, false, false, null);
        CommandLine line = command.apply(captured);
        line.setOut(captured.out());
        line.setErr(captured.err());
        line.setExecutionExceptionHandler((bug, failed, parsed) -> {
            throw bug;
        });
        KafkaConnectionOption.lend(line, kafka);
        int exit = line.execute(arguments);
        captured.out().flush();
        captured.err().flush();
        return new CapturedCommand(exit, out.toString(), err.toString().strip());
    }

    /** Returns what was printed, or fails with the messages. */
    SupportBundle.PartText toPart() throws IOException {
        if (exit != ExitCode.DONE) {
            throw new IOException(message());
        }
        return new SupportBundle.PartText(out, message());
    }

    /** The messages without the name of the command before them; null for none. */
    private @Nullable String message() {
        return err.isEmpty() ? exit == ExitCode.DONE ? null : "exit code " + exit : err.replaceFirst("^[a-z ]+: ", "");
    }
}
