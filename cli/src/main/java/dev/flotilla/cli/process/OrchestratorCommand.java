package dev.flotilla.cli.process;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.ConnectionConfig;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.cli.verb.Examples;
import dev.flotilla.orchestrator.Main;
import dev.flotilla.orchestrator.config.OrchestratorConfig;
import dev.flotilla.runtime.config.ConfigRead;
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.schemas.id.Names;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code flotilla orchestrator}. */
@Command(
        name = "orchestrator",
        mixinStandardHelpOptions = true,
        description = {
            "Decides what may start, and when. Start several: one leads, the others stand by.",
            "It prints one line when it listens, logs on stderr, and runs until SIGTERM or Ctrl-C.",
            "Settings: the file, over it variables such as FLOTILLA_SERVER_LISTEN, over both these options."
        })
public final class OrchestratorCommand implements Callable<Integer> {
    private static final String LISTEN = "FLOTILLA_SERVER_LISTEN";
    private static final String BOOTSTRAP = "FLOTILLA_BOOTSTRAP_SERVERS";
    private static final String BROKERS = "FLOTILLA_BROKERS";
    private static final String SECTION = "FLOTILLA_KAFKA_";
    private static final String DEBUG = "FLOTILLA_DEBUG";

    private final Terminal terminal;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where health, metrics and the API are served. Default: any free port of 127.0.0.1.")
    private @Nullable String listen;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "This process's name, in logs and to Kafka. Default: ${DEFAULT-VALUE}.")
    private String instance = "orchestrator";

    @Mixin
    private Connection connection = new Connection();

    private OrchestratorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    public static CommandLine of(Terminal terminal) {
        CommandLine command = new CommandLine(new OrchestratorCommand(terminal));
        Examples.set(
                command,
                "flotilla orchestrator --bootstrap localhost:9092",
                "flotilla orchestrator --config orchestrator.yaml --instance east-1 --listen 127.0.0.1:8080");
        return command;
    }

    @Override
    public Integer call() {
        Logs.ofProcess();
        List<String> problems = new ArrayList<>();
        String problem = Names.problemOfSubdomain(instance);
        if (problem != null) {
            problems.add("--instance \"" + instance + "\" " + problem);
        }
        if (connection.config() == null && environment().keySet().stream().noneMatch(OrchestratorCommand::isOfKafka)) {
            problems.add(ConnectionConfig.UNNAMED);
            return connection.wrong(terminal, problems);
        }
        ConfigRead<OrchestratorConfig> read =
                OrchestratorConfig.reader(ConnectionConfig::flaws).read(connection.config(), environment());
        return switch (read) {
            case ConfigRead.Bad<OrchestratorConfig> bad -> {
                problems.addAll(lines(bad));
                yield connection.wrong(terminal, problems);
            }
            case ConfigRead.Good<OrchestratorConfig> good ->
                problems.isEmpty() ? start(good.value(), good.shown()) : connection.wrong(terminal, problems);
        };
    }

    private static boolean isOfKafka(String variable) {
        return variable.equals(BOOTSTRAP) || variable.startsWith(SECTION);
    }

    /** What the environment states, with the options' words over it. */
    private Map<String, String> environment() {
        Map<String, String> all = new TreeMap<>(terminal.environment());
        all.remove(DEBUG);
        String brokers = all.remove(BROKERS);
        if (brokers != null) {
            all.putIfAbsent(BOOTSTRAP, brokers);
        }
        if (connection.bootstrap() != null) {
            all.put(BOOTSTRAP, connection.bootstrap());
        }
        if (listen != null) {
            all.put(LISTEN, listen);
        }
        return all;
    }

    private List<String> lines(ConfigRead.Bad<OrchestratorConfig> bad) {
        return bad.problems().stream()
                .map(problem -> {
                    String line = problem.toString();
                    line = connection.bootstrap() == null
                            ? line
                            : line.replace("environment variable " + BOOTSTRAP, "--bootstrap");
                    return listen == null ? line : line.replace("environment variable " + LISTEN, "--listen");
                })
                .toList();
    }

    private int start(OrchestratorConfig config, String shown) {
        return switch (ConnectionConfig.settings(config.kafka())) {
            case ConnectionConfig.Wrong wrong -> connection.wrong(terminal, wrong.problems());
            case ConnectionConfig.Settings found -> {
                int reached = connection.reach(terminal, found.settings(), OrchestratorCommand::isReady);
                if (reached != Exit.DONE) {
                    yield reached;
                }
                terminal.note("configuration: " + shown);
                yield run(found, config);
            }
        };
    }

    /** Better told at the start than found out by whoever wonders why nothing is decided. */
    private static int isReady(FleetKafka kafka) {
        kafka.sites();
        kafka.topics().requireTransactions();
        return Exit.DONE;
    }

    private int run(ConnectionConfig.Settings kafka, OrchestratorConfig config) {
        ServerConfig server = config.server();
        String url;
        try {
            url = Main.start(
                    instance, kafka.settings(), server, config.journal().rules());
        } catch (Exception failed) {
            if (isTaken(failed)) {
                terminal.note(connection.name() + ": cannot listen on " + server.listen()
                        + ": another process does, or it is no address of this machine");
                return Exit.UNREACHABLE;
            }
            throw failed;
        }
        terminal.out().println("orchestrator " + instance + " ready at " + url);
        terminal.out().flush();
        try {
            // A signal ends the process in order, from a hook of its own.
            Thread.currentThread().join();
            return Exit.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    private static boolean isTaken(Throwable failed) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (each instanceof BindException) {
                return true;
            }
        }
        return false;
    }
}
