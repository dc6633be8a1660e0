package dev.flotilla.auditor.program;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How the auditor logs. The backend is not part of the auditor, so its system properties pass the options on.
 *
 * @param format {@code text} or {@code json}
 * @param level {@code LEVEL[,LOGGER=LEVEL…]}; empty for the defaults
 */
public record LogOptions(String format, String level) {
    private static final String FORMAT = "FLOTILLA_LOG_FORMAT";
    private static final String LEVEL = "FLOTILLA_LOG_LEVEL";
    private static final String LEVEL_NAME = "(off|error|warn|info|debug|trace)";
    private static final Pattern FORMATS = Pattern.compile("text|json");
    private static final Pattern LEVELS =
            Pattern.compile(LEVEL_NAME + "(,[^=,]+=" + LEVEL_NAME + "|," + LEVEL_NAME + ")*");
    private static final String KAFKA_LOGGERS = "org.apache.kafka";
    private static final String DEFAULT_LEVEL = "info," + KAFKA_LOGGERS + "=warn";
    /** Leaves out the warnings about single connections, which repeat for each client while Kafka is away. */
    private static final String NO_CONNECTION_WARNINGS = "," + KAFKA_LOGGERS + ".clients.NetworkClient=error";

    static LogOptions ofEnvironment(Map<String, String> environment) {
        return new LogOptions(environment.getOrDefault(FORMAT, "text"), environment.getOrDefault(LEVEL, ""));
    }

    LogOptions withFormat(String given) {
        return new LogOptions(given, level);
    }

    LogOptions withLevel(String given) {
        return new LogOptions(format, given);
    }

    void collectProblems(List<String> problems) {
        if (!FORMATS.matcher(format).matches()) {
            problems.add("--log-format (" + FORMAT + ") is \"" + format + "\" and must be text or json");
        }
        if (!level.isEmpty() && !LEVELS.matcher(level).matches()) {
            problems.add("--log-level (" + LEVEL + ") is \"" + level + "\" and must be off, error, warn, info, debug or"
                    + " trace, or such as info,org.apache.kafka=debug");
        }
    }

    /** Sets the options, before anything logs. */
    public void apply() {
        System.setProperty("flotilla.log.format", format);
        String defaults = level.contains(KAFKA_LOGGERS) ? DEFAULT_LEVEL : DEFAULT_LEVEL + NO_CONNECTION_WARNINGS;
        System.setProperty("flotilla.log.level", level.isEmpty() ? defaults : defaults + "," + level);
    }
}
