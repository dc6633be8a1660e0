package dev.flotilla.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogVariablesTest {
    @Test
    void reportsEveryProblem() {
        assertThat(LogVariables.apply(Map.of("FLOTILLA_LOG_FORMAT", "xml", "FLOTILLA_LOG_LEVEL", "loud")))
                .satisfiesExactly(
                        format -> assertThat(format).contains("FLOTILLA_LOG_FORMAT is \"xml\"", "text or json"),
                        level -> assertThat(level).contains("FLOTILLA_LOG_LEVEL is \"loud\"", "info, debug or trace"));
    }

    @Test
    void leavesTheLogAsItIsWithoutVariables() {
        assertThat(LogVariables.apply(Map.of("PATH", "/bin"))).isEmpty();
    }
}
