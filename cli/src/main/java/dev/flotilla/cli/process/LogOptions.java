package dev.flotilla.cli.process;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a service that say how it logs. */
final class LogOptions {
    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "Format of the log on stderr: text or json. Default: text.")
    private @Nullable String format;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description =
                    "Lowest level that is logged: off, error, warn, info, debug or trace, also for single loggers,"
                            + " as in info,org.apache.kafka=debug. Default: info.")
    private @Nullable String level;

    void addVariables(List<ServiceLauncher.OptionAsVariable> options) {
        ServiceLauncher.OptionAsVariable.add(options, "--log-format", LogVariables.FORMAT, format);
        ServiceLauncher.OptionAsVariable.add(options, "--log-level", LogVariables.LEVEL, level);
    }
}
