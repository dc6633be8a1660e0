package dev.flotilla.cli.process;

import dev.flotilla.cli.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.HelpExamples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code flotilla auditor}, as far as this module knows it: the launcher starts it on a class path of its own. */
@Command(
        name = "auditor",
        mixinStandardHelpOptions = true,
        description = {
            "Checks for ever that what was decided keeps the invariants. It shares no code with what it checks.",
            "Its one power is to freeze."
        })
public final class AuditorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--bootstrap", paramLabel = "HOST:PORT,…", description = "Brokers to begin with.")
    private List<String> bootstrap = List.of();

    @Option(names = "--config", paramLabel = "FILE", description = "Properties of the Kafka client.")
    private List<String> config = List.of();

    @Option(names = "--listen", paramLabel = "HOST:PORT", description = "Where its findings are served.")
    private List<String> listen = List.of();

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Its certificate, PEM.")
    private List<String> certificate = List.of();

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The certificate's key, PEM.")
    private List<String> key = List.of();

    @Option(names = "--token-file", paramLabel = "FILE", description = "The token that whoever asks must show.")
    private List<String> token = List.of();

    @Option(names = "--freeze", description = "Freeze the fleet when an invariant is broken.")
    private boolean freeze;

    @Option(names = "--from-chapter", description = "Begin at the journal's newest whole chapter.")
    private boolean fromChapter;

    @Option(names = "--until-seq", paramLabel = "SEQ", description = "End when all is checked up to this record.")
    private List<String> untilSeq = List.of();

    @Option(names = "--until-quiet", description = "End when there is nothing more to check.")
    private boolean untilQuiet;

    @Option(names = "--patience", paramLabel = "SECONDS", description = "How long it waits for what it ends at.")
    private List<String> patience = List.of();

    @Option(names = "--json", paramLabel = "FILE", description = "Write the findings as one JSON object to FILE.")
    private List<String> json = List.of();

    @Unmatched
    private List<String> others = new ArrayList<>();

    private AuditorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new AuditorCommand(terminal));
        HelpExamples.set(command, "flotilla auditor --bootstrap localhost:9092 --listen 127.0.0.1:8090");
        return command;
    }

    @Override
    public Integer call() {
        terminal.note("flotilla auditor: the auditor is a program of its own, which the launcher ./flotilla starts"
                + " with none of our other jars. Asked for: "
                + Stream.of(bootstrap, config, listen, certificate, key, token, untilSeq, patience, json, others)
                        .flatMap(List::stream)
                        .collect(Collectors.joining(" "))
                + (freeze ? " --freeze" : "") + (fromChapter ? " --from-chapter" : "")
                + (untilQuiet ? " --until-quiet" : ""));
        return ExitCode.USAGE;
    }
}
