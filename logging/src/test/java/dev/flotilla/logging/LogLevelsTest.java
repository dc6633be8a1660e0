package dev.flotilla.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

class LogLevelsTest {
    private static final int OFF = Integer.MAX_VALUE;

    @Test
    void aLoggerHasTheLevelOfItsLongestPrefix() {
        LogLevels levels = LogLevels.parse("warn,org.apache=off,org.apache.kafka.clients=debug");
        assertThat(levels.lowestLevelOf("dev.flotilla.Loop")).isEqualTo(Level.WARN.toInt());
        assertThat(levels.lowestLevelOf("org.apache.Other")).isEqualTo(OFF);
        assertThat(levels.lowestLevelOf("org.apache.kafka.clients.Metadata")).isEqualTo(Level.DEBUG.toInt());
        assertThat(levels.lowestLevelOf("org.apache.kafka.clientside"))
                .as("a prefix ends at a dot")
                .isEqualTo(OFF);
    }

    @Test
    void overridesOnlyTheLevelsThatAreGiven() {
        LogLevels levels = LogLevels.SERVICE.with(LogLevels.parse("debug,io.netty=trace"));
        assertThat(levels.lowestLevelOf("dev.flotilla.Loop")).isEqualTo(Level.DEBUG.toInt());
        assertThat(levels.lowestLevelOf("io.netty.Channel")).isEqualTo(Level.TRACE.toInt());
        assertThat(levels.lowestLevelOf("org.apache.kafka.clients.Metadata")).isEqualTo(Level.WARN.toInt());
    }

    @Test
    void aServiceLogsNoWarningForEachFailedConnectionToABroker() {
        assertThat(LogLevels.SERVICE.lowestLevelOf("org.apache.kafka.clients.NetworkClient"))
                .isEqualTo(Level.ERROR.toInt());
        assertThat(LogLevels.SERVICE
                        .with(LogLevels.parse("info,org.apache.kafka.clients.NetworkClient=warn"))
                        .lowestLevelOf("org.apache.kafka.clients.NetworkClient"))
                .isEqualTo(Level.WARN.toInt());
        assertThat(LogLevels.SERVICE
                        .with(LogLevels.parse("info,org.apache.kafka=debug"))
                        .lowestLevelOf("org.apache.kafka.clients.NetworkClient"))
                .isEqualTo(Level.DEBUG.toInt());
    }

    @Test
    void aCommandLogsNothingOfTheKafkaClient() {
        assertThat(LogLevels.COMMAND.lowestLevelOf("org.apache.kafka.clients.NetworkClient"))
                .isEqualTo(OFF);
        assertThat(LogLevels.COMMAND.lowestLevelOf("dev.flotilla.cli.Main")).isEqualTo(Level.INFO.toInt());
        assertThat(LogLevels.COMMAND.lowestLevelOf("io.vertx.core.Vertx")).isEqualTo(Level.ERROR.toInt());
    }

    @Test
    void saysWhatIsWrongWithAText() {
        assertThat(LogLevels.problemOf("info,org.apache.kafka=warn")).isNull();
        for (String wrong : List.of("inof", "", "INFO", "info,kafka=", "=info", "info,,warn", "info, kafka=warn,")) {
            assertThat(LogLevels.problemOf(wrong)).as(wrong).contains("off, error, warn, info, debug or trace");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> LogLevels.parse("INFO"));
    }
}
