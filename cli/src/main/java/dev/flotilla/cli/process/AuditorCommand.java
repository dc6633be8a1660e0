package dev.flotilla.cli.process;

import dev.flotilla.cli.command.HelpExamples;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/** {@code flotilla auditor}: help and a pointer to the launcher, which runs the auditor on its own class path. */
@Command(
        name = "auditor",
        mixinStandardHelpOptions = true,
        description = {
            "Audits all decisions continuously, from the topics alone. It shares no code with the orchestrator.",
            "With --freeze it freezes the fleet when an invariant is violated; it can do nothing else.",
            "It runs until SIGTERM or Ctrl-C, or until --until-seq or --until-quiet is reached.",
            "Exit codes: 0 stopped, or checked without a violation, 1 a violation, 2 wrong usage, 3 no broker"
                    + " reachable."
        })
public final class AuditorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Bootstrap brokers. Default: FLOTILLA_BOOTSTRAP_SERVERS.")
    private List<String> bootstrap = List.of();

    @Option(names = "--config", paramLabel = "FILE", description = "Properties file of the Kafka client.")
    private List<String> config = List.of();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address that serves report and metrics. Default: 127.0.0.1:9404.")
    private List<String> listen = List.of();

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Server certificate, PEM.")
    private List<String> certificate = List.of();

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Key of the certificate, PEM.")
    private List<String> key = List.of();

    @Option(names = "--token-file", paramLabel = "FILE", description = "File with the token that clients must send.")
    private List<String> token = List.of();

    @Option(names = "--freeze", description = "Freeze the fleet when an invariant is violated.")
    private boolean freeze;

    @Option(names = "--from-chapter", description = "Start at the newest complete chapter of the journal.")
    private boolean fromChapter;

    @Option(
            names = "--until-seq",
            paramLabel = "SEQ",
            description = "Exit when all records up to this one are" + " checked.")
    private List<String> untilSeq = List.of();

    @Option(names = "--until-quiet", description = "Exit when there is nothing more to check.")
    private boolean untilQuiet;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description =
                    "Seconds without records after which --until-quiet ends and --until-seq gives up; also how long the"
                            + " brokers may take to respond at the start. Default: 30, and 10 at the start.")
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
        command.addMixin("log", new LogOptions());
        HelpExamples.set(command, "flotilla auditor --bootstrap localhost:9092 --listen 127.0.0.1:8090");
        return command;
    }

    @Override
    public Integer call() {
        terminal.note("flotilla auditor: the auditor is not part of this program; run it with the launcher"
                + " ./flotilla," + " which starts it without the other jars. Options given: "
                + Stream.of(bootstrap, config, listen, certificate, key, token, untilSeq, patience, json, others)
                        .flatMap(List::stream)
                        .collect(Collectors.joining(" "))
                + (freeze ? " --freeze" : "") + (fromChapter ? " --from-chapter" : "")
                + (untilQuiet ? " --until-quiet" : ""));
        return ExitCode.USAGE;
    }
}
