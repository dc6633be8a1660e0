package dev.flotilla.cli.process;

import dev.flotilla.cli.Exit;
import dev.flotilla.cli.kafka.Connection;
import dev.flotilla.cli.kafka.ConnectionConfig;
import dev.flotilla.cli.kafka.FleetKafka;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.NameValidator;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A service of ours as the command line starts it. Its settings are those of the file, over it those of the environment, over
 * both the options.
 *
 * @param what it is called
 * @param ready asks Kafka whether it can work: better told at the start than found out later
 */
record Service<C>(
        String what,
        ConfigReader<C> reader,
        Function<C, KafkaConfig> kafka,
        Function<C, HttpServerConfig> server,
        ToIntFunction<FleetKafka> ready,
        Starter<C> starter) {
    static final String BOOTSTRAP = "FLOTILLA_BOOTSTRAP_SERVERS";
    static final String LISTEN = "FLOTILLA_SERVER_LISTEN";

    private static final String BROKERS = "FLOTILLA_BROKERS";
    private static final String SECTION = "FLOTILLA_KAFKA_";
    /** What states nothing of a service. */
    private static final List<String> OF_PEOPLE = List.of("FLOTILLA_DEBUG", "FLOTILLA_CONTEXTS", "FLOTILLA_CONTEXT");

    /** Starts it, and says where it is asked. */
    @FunctionalInterface
    interface Starter<C> {
        /** What cannot be read of what the configuration names is an {@link IOException} that says so. */
        String start(String instance, KafkaClientSettings kafka, C config) throws IOException;
    }

    /** An option that stands for a variable. */
    record Stated(String option, String variable, String value) {
        /** Adds one, if it was given. */
        static void add(List<Stated> options, String option, String variable, @Nullable String value) {
            if (value != null) {
                options.add(new Stated(option, variable, value));
            }
        }
    }

    /** Runs it until a signal ends the process in order. */
    int run(Terminal terminal, Connection connection, String instance, List<Stated> options) {
        Logs.ofProcess();
        List<String> problems = new ArrayList<>();
        String problem = NameValidator.problemOfSubdomain(instance);
        if (problem != null) {
            problems.add("--instance \"" + instance + "\" " + problem);
        }
        if (connection.context() != null) {
            problems.add(
                    "--context " + connection.context() + ": contexts are a person's; a service has --config FILE");
        }
        List<Stated> all = new ArrayList<>(options);
        Stated.add(all, "--bootstrap", BOOTSTRAP, connection.bootstrap());
        Map<String, String> environment = environment(terminal, all);
        if (connection.config() == null && environment.keySet().stream().noneMatch(Service::isOfKafka)) {
            problems.add(ConnectionConfig.UNNAMED);
            return connection.wrong(terminal, problems);
        }
        return switch (reader.read(connection.config(), environment)) {
            case ConfigReadResult.InvalidConfig<C> invalidConfig -> {
                invalidConfig.problems().forEach(each -> problems.add(line(each.toString(), all)));
                yield connection.wrong(terminal, problems);
            }
            case ConfigReadResult.ValidConfig<C> validConfig ->
                problems.isEmpty() ? reach(terminal, connection, instance, validConfig) : connection.wrong(terminal, problems);
        };
    }

    private static boolean isOfKafka(String variable) {
        return variable.equals(BOOTSTRAP) || variable.startsWith(SECTION);
    }

    /** What the environment states, with the options' words over it. */
    private static Map<String, String> environment(Terminal terminal, List<Stated> options) {
        Map<String, String> all = new TreeMap<>(terminal.environment());
        all.keySet().removeAll(OF_PEOPLE);
        String brokers = all.remove(BROKERS);
        if (brokers != null) {
            all.putIfAbsent(BOOTSTRAP, brokers);
        }
        options.forEach(option -> all.put(option.variable(), option.value()));
        return all;
    }

    private static String line(String problem, List<Stated> options) {
        String line = problem;
        for (Stated option : options) {
            line = line.replace("environment variable " + option.variable(), option.option());
        }
        return line;
    }

    private int reach(Terminal terminal, Connection connection, String instance, ConfigReadResult.ValidConfig<C> read) {
        return switch (ConnectionConfig.settings(kafka.apply(read.value()))) {
            case ConnectionConfig.Wrong wrong -> connection.wrong(terminal, wrong.problems());
            case ConnectionConfig.Settings found -> {
                int reached = connection.reach(terminal, found.settings(), ready::applyAsInt);
                if (reached != Exit.DONE) {
                    yield reached;
                }
                terminal.note("configuration: " + read.redacted());
                yield start(terminal, connection, instance, found.settings(), read.value());
            }
        };
    }

    private int start(Terminal terminal, Connection connection, String instance, KafkaClientSettings settings, C config) {
        String url;
        try {
            url = starter.start(instance, settings, config);
        } catch (IOException unfit) {
            return connection.wrong(terminal, List.of(String.valueOf(unfit.getMessage())));
        } catch (RuntimeException failed) {
            if (isTaken(failed)) {
                terminal.note(connection.name() + ": cannot listen on "
                        + server.apply(config).listen()
                        + ": another process does, or it is no address of this machine");
                return Exit.UNREACHABLE;
            }
            throw failed;
        }
        terminal.out().println(what + " " + instance + " ready at " + url);
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
