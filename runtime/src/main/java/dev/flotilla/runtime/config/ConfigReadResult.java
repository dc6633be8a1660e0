package dev.flotilla.runtime.config;

import java.util.List;
import java.util.stream.Collectors;

/** What came of reading a configuration. */
public sealed interface ConfigReadResult<T> {

    /**
     * It is as it should be.
     *
     * @param redacted the whole of it, defaults included, as it may be logged
     */
    record ValidConfig<T>(T value, String redacted) implements ConfigReadResult<T> {}

    /** Everything that is wrong with it. The process ends with {@link #EXIT}. */
    record InvalidConfig<T>(List<ConfigProblem> problems) implements ConfigReadResult<T> {
        public InvalidConfig {
            problems = List.copyOf(problems);
        }

        /** The problems as people read them, one a line. */
        public String report() {
            return problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
        }
    }

    /** The exit code of a process whose configuration is wrong. */
    int EXIT = 2;
}
