package dev.flotilla.cli.process;

import dev.flotilla.cli.command.CommandErrorReporter;
import dev.flotilla.cli.process.ServiceLauncher.OptionAsVariable;
import dev.flotilla.cli.terminal.Terminal;
import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReader;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.config.LogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts a service that needs no Kafka from the command line. Options override environment variables, which override the file.
 *
 * @param serviceName name of the service
 */
record KafkaFreeServiceLauncher<C>(
        String serviceName,
        ConfigReader<C> reader,
        Function<C, HttpServerConfig> server,
        Function<C, LogConfig> log,
        Starter<C> starter) {

    /** Starts the service and returns its URL. */
    @FunctionalInterface
    interface Starter<C> {
        /** Throws an {@link IOException} if a file that the configuration names cannot be read. */
        String start(C config) throws IOException;
    }

    /** Runs the service until a signal ends the process. */
    int run(Terminal terminal, CommandErrorReporter reporter, @Nullable Path file, List<OptionAsVariable> options) {
        return switch (reader.read(file, ServiceLauncher.environment(terminal, options))) {
            case ConfigReadResult.InvalidConfig<C> invalidConfig ->
                reporter.reportUsageErrors(
                        terminal,
                        invalidConfig.problems().stream()
                                .map(each -> ServiceLauncher.line(each.toString(), options))
                                .toList());
            case ConfigReadResult.ValidConfig<C> validConfig -> start(terminal, reporter, validConfig);
        };
    }

    private int start(Terminal terminal, CommandErrorReporter reporter, ConfigReadResult.ValidConfig<C> read) {
        C config = read.value();
        log.apply(config).apply();
        ServiceLauncher.printConfiguration(terminal, log.apply(config), read.redacted());
        String url;
        try {
            url = starter.start(config);
        } catch (IOException unfit) {
            return reporter.reportUsageErrors(terminal, List.of(String.valueOf(unfit.getMessage())));
        } catch (RuntimeException failed) {
            if (ServiceLauncher.isAddressInUse(failed)) {
                return reporter.reportUnreachable(
                        terminal,
                        "cannot listen on " + server.apply(config).listen()
                                + ": another process listens there, or it is not an address of this machine");
            }
            throw failed;
        }
        terminal.out().println(serviceName + " ready at " + url);
        terminal.out().flush();
        return ServiceLauncher.awaitSignal();
    }
}
