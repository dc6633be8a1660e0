package dev.flotilla.nodeupgrader.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeReportTest {

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "not JSON",
                "{}",
                "{\"now\":1}",
                "{\"now\":\"x\",\"steps\":{}}",
                "{\"now\":1,\"steps\":{\"one\":\"Running\"}}",
                "{\"now\":1,\"steps\":{\"one\":\"Dancing 1 1 -\"}}",
                "{\"now\":1,\"steps\":{\"one\":\"Failed 1 1 12345\"}}",
                "{\"now\":1,\"steps\":{\"one\":\"Running 1 1 -\""
            })
    void textThatIsNoReportIsNone(String text) {
        assertThat(NodeReport.parse(text)).isNull();
    }

    @Test
    void isCompleteOnlyWhenEveryStepHasSucceeded() {
        assertThat(NodeReport.parse("{\"now\":1,\"steps\":{\"one\":\"Succeeded 1 1 0\",\"two\":\"Waiting 0 0 -\"}}")
                        .isComplete())
                .isFalse();
        assertThat(NodeReport.parse("{\"now\":1,\"steps\":{\"one\":\"Succeeded 1 1 0\"}}")
                        .isComplete())
                .isTrue();
    }
}
