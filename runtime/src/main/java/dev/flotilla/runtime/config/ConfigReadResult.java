package dev.flotilla.runtime.config;

import java.util.List;
import java.util.stream.Collectors;

/** The result of reading a configuration. */
public sealed interface ConfigReadResult<T> {

    /**
     * The configuration is valid.
     *
     * @param redacted the whole configuration with defaults and without secrets, for the log
     */
    record ValidConfig<T>(T value, String redacted) implements ConfigReadResult<T> {}

    /** All problems of the configuration. The process exits with {@link #EXIT}. */
    record InvalidConfig<T>(List<ConfigProblem> problems) implements ConfigReadResult<T> {
        public InvalidConfig {
            problems = List.copyOf(problems);
        }

        /** Returns the problems as text, one a line. */
        public String report() {
            return problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
        }
    }

    /** The exit code of a process with an invalid configuration. */
    int EXIT = 2;
}
