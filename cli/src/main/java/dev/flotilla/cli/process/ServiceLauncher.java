package dev.flotilla.cli.process;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.KafkaConnectionConfig;
import dev.flotilla.cli.kafka.KafkaConnectionOption;
import dev.flotilla.cli.terminal.ExitCode;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.logging.LogFormat;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.KafkaConfig;
import dev.flotilla.runtime.config.LogConfig;
import dev.flotilla.runtime.log.LogKey;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a service from the command line. Options override environment variables, which override the file.
 *
 * @param serviceName name of the service
 * @param readinessCheck checks at the start whether the topics that the service needs exist
 */
record ServiceLauncher<C>(
        String serviceName,
        ConfigReader<C> reader,
        Function<C, KafkaConfig> kafka,
        Function<C, HttpServerConfig> server,
        Function<C, LogConfig> log,
        ToIntFunction<FleetKafkaClient> readinessCheck,
        ServiceStarter<C> starter) {
    private static final Logger LOG = LoggerFactory.getLogger("flotilla");

    static final String BOOTSTRAP = "FLOTILLA_BOOTSTRAP_SERVERS";
    static final String LISTEN = "FLOTILLA_SERVER_LISTEN";
    static final String SITE = "FLOTILLA_SITE";

    private static final String BROKERS = "FLOTILLA_BROKERS";
    private static final String SECTION = "FLOTILLA_KAFKA_";
    /** Variables that are not settings of a service. */
    private static final List<String> OPERATOR_VARIABLES =
            List.of("FLOTILLA_DEBUG", "FLOTILLA_CONTEXTS", "FLOTILLA_CONTEXT");

    /** Starts the service and returns its URL. */
    @FunctionalInterface
    interface ServiceStarter<C> {
        /** Throws an {@link IOException} if a file that the configuration names cannot be read. */
        String start(String instance, KafkaClientSettings kafka, C config) throws IOException;
    }

    /** An option that overrides an environment variable. */
    record OptionAsVariable(String option, String variable, String value) {
        /** Adds an option if it was given. */
        static void add(List<OptionAsVariable> options, String option, String variable, @Nullable String value) {
            if (value != null) {
                options.add(new OptionAsVariable(option, variable, value));
            }
        }
    }

    /** Runs the service until a signal ends the process. */
    int run(Terminal terminal, KafkaConnectionOption connection, String instance, List<OptionAsVariable> options) {
        List<String> problems = new ArrayList<>();
        String problem = NameValidator.problemOfSubdomain(instance);
        if (problem != null) {
            problems.add("--instance \"" + instance + "\" " + problem);
        }
        if (connection.context() != null) {
            problems.add("--context " + connection.context()
                    + ": contexts are for operators; give a service its settings" + " with --config FILE");
        }
        List<OptionAsVariable> all = new ArrayList<>(options);
        OptionAsVariable.add(all, "--bootstrap", BOOTSTRAP, connection.bootstrap());
        Map<String, String> environment = environment(terminal, all);
        if (connection.config() == null && environment.keySet().stream().noneMatch(ServiceLauncher::isOfKafka)) {
            problems.add(KafkaConnectionConfig.NO_BROKERS_CONFIGURED);
            return connection.reportUsageErrors(terminal, problems);
        }
        return switch (reader.read(connection.config(), environment)) {
            case ConfigReadResult.InvalidConfig<C> invalidConfig -> {
                invalidConfig.problems().forEach(each -> problems.add(line(each.toString(), all)));
                yield connection.reportUsageErrors(terminal, problems);
            }
            case ConfigReadResult.ValidConfig<C> validConfig ->
                problems.isEmpty()
                        ? connect(terminal, connection, instance, validConfig)
                        : connection.reportUsageErrors(terminal, problems);
        };
    }

    private static boolean isOfKafka(String variable) {
        return variable.equals(BOOTSTRAP) || variable.startsWith(SECTION);
    }

    /** The environment's settings, overridden by options. */
    static Map<String, String> environment(Terminal terminal, List<OptionAsVariable> options) {
        Map<String, String> all = new TreeMap<>(terminal.environment());
        all.keySet().removeAll(OPERATOR_VARIABLES);
        String brokers = all.remove(BROKERS);
        if (brokers != null) {
            all.putIfAbsent(BOOTSTRAP, brokers);
        }
        options.forEach(option -> all.put(option.variable(), option.value()));
        return all;
    }

    static String line(String problem, List<OptionAsVariable> options) {
        String line = problem.replace("must be given as " + SITE, "must be given as --site, " + SITE);
        for (OptionAsVariable option : options) {
            line = line.replace("environment variable " + option.variable(), option.option());
        }
        return line;
    }

    private int connect(
            Terminal terminal,
            KafkaConnectionOption connection,
            String instance,
            ConfigReadResult.ValidConfig<C> read) {
        return switch (KafkaConnectionConfig.settings(kafka.apply(read.value()))) {
            case KafkaConnectionConfig.InvalidKafkaSettings invalidKafkaSettings ->
                connection.reportUsageErrors(terminal, invalidKafkaSettings.problems());
            case KafkaConnectionConfig.ResolvedKafkaSettings found -> {
                LogConfig logConfig = log.apply(read.value());
                if (logConfig.format() == LogFormat.JSON) {
                    // What is logged while it connects must be JSON too. As text, a failure is one line.
                    logConfig.apply();
                }
                int reached = KafkaConnectionOption.reach(
                        found.settings(),
                        readinessCheck::applyAsInt,
                        reason -> reportFailedStart(terminal, connection, logConfig, reason));
                if (reached != ExitCode.DONE) {
                    yield reached;
                }
                logConfig.apply();
                printConfiguration(terminal, logConfig, read.redacted());
                yield start(terminal, connection, instance, found.settings(), read.value());
            }
        };
    }

    /** A log in JSON has no other lines. */
    static void printConfiguration(Terminal terminal, LogConfig log, String redacted) {
        if (log.format() == LogFormat.JSON) {
            LOG.atInfo().addKeyValue(LogKey.CONFIGURATION.label(), redacted).log("configuration read");
        } else {
            terminal.note("configuration: " + redacted);
        }
    }

    private static int reportFailedStart(
            Terminal terminal, KafkaConnectionOption connection, LogConfig log, String reason) {
        if (log.format() == LogFormat.JSON) {
            LOG.atError().addKeyValue(LogKey.REASON.label(), reason).log("start failed");
            return ExitCode.UNREACHABLE;
        }
        return connection.reportUnreachable(terminal, reason);
    }

    private int start(
            Terminal terminal,
            KafkaConnectionOption connection,
            String instance,
            KafkaClientSettings settings,
            C config) {
        String url;
        try {
            url = starter.start(instance, settings, config);
        } catch (IOException unfit) {
            return connection.reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        } catch (RuntimeException failed) {
            if (isAddressInUse(failed)) {
                return reportFailedStart(
                        terminal,
                        connection,
                        log.apply(config),
                        "cannot listen on " + server.apply(config).listen()
                                + ": another process listens there, or it is not an address of this machine");
            }
            throw failed;
        }
        terminal.out().println(serviceName + " " + instance + " ready at " + url);
        terminal.out().flush();
        return awaitSignal();
    }

    /** Waits until a signal ends the process through its shutdown hook. */
    static int awaitSignal() {
        try {
            Thread.currentThread().join();
            return ExitCode.DONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        }
    }

    static boolean isAddressInUse(Throwable failed) {
        for (Throwable each = failed; each != null; each = each.getCause()) {
            if (each instanceof BindException) {
                return true;
            }
        }
        return false;
    }
}
