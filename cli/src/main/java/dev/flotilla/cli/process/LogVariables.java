package dev.flotilla.cli.process;

import dev.flotilla.logging.LogFormat;
import dev.flotilla.logging.LogLevels;
import dev.flotilla.logging.LogSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Environment variables that say how a command logs. A service reads them again with its configuration. */
public final class LogVariables {
    static final String FORMAT = "FLOTILLA_LOG_FORMAT";
    static final String LEVEL = "FLOTILLA_LOG_LEVEL";

    private LogVariables() {}

    /** Applies the variables if there are any, and returns what is wrong with them. */
    public static List<String> apply(Map<String, String> environment) {
        List<String> problems = new ArrayList<>();
        if (environment.containsKey(FORMAT) || environment.containsKey(LEVEL)) {
            String format = environment.getOrDefault(FORMAT, LogFormat.TEXT.label());
            String level = environment.getOrDefault(LEVEL, "error");
            addProblem(problems, FORMAT, format, LogFormat.problemOf(format));
            addProblem(problems, LEVEL, level, LogLevels.problemOf(level));
            if (problems.isEmpty()) {
                new LogSettings(LogFormat.parse(format), LogLevels.COMMAND.with(LogLevels.parse(level))).apply();
            }
        }
        return problems;
    }

    private static void addProblem(List<String> problems, String name, String value, @Nullable String problem) {
        if (problem != null) {
            problems.add("environment variable " + name + " is \"" + value + "\" and " + problem);
        }
    }
}
