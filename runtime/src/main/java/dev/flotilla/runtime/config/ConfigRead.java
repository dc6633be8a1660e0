package dev.flotilla.runtime.config;

import java.util.List;
import java.util.stream.Collectors;

/** What came of reading a configuration. */
public sealed interface ConfigRead<T> {

    /**
     * It is as it should be.
     *
     * @param shown the whole of it, defaults included, as it may be logged
     */
    record Good<T>(T value, String shown) implements ConfigRead<T> {}

    /** Everything that is wrong with it. The process ends with {@link #EXIT}. */
    record Bad<T>(List<ConfigProblem> problems) implements ConfigRead<T> {
        public Bad {
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
