package dev.flotilla.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class StderrLoggersTest {
    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final StderrLoggers loggers =
            new StderrLoggers(new LogSettings(LogFormat.TEXT, LogLevels.parse("warn,loud=debug")));

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(stderr);
    }

    private String written() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesFromTheLevelOfTheLoggerOn() {
        Logger quiet = loggers.getLogger("quiet");
        quiet.info("not written");
        quiet.atInfo().addKeyValue("site", "east").log("not written either");
        quiet.warn("written");
        loggers.getLogger("loud").atDebug().addKeyValue("site", "east").log("written too");
        assertThat(written().lines().map(line -> line.substring(line.indexOf(' ') + 1)))
                .containsExactly("WARN quiet written", "DEBUG loud written too site=east");
    }

    @Test
    void newSettingsReachLoggersThatExist() {
        Logger logger = loggers.getLogger("quiet");
        loggers.apply(new LogSettings(LogFormat.JSON, LogLevels.parse("info")));
        logger.info("{} of {}", 1, 2);
        logger.debug("not written");
        assertThat(written()).hasLineCount(1).contains("\"level\":\"info\"").contains("\"message\":\"1 of 2\"");
    }

    @Test
    void anExceptionIsWrittenWithItsStackTrace() {
        loggers.getLogger("quiet").error("broken", new IllegalStateException("because"));
        assertThat(written()).contains("ERROR quiet broken\njava.lang.IllegalStateException: because\n\tat ");
    }

    @Test
    void slf4jFindsThisBackend() {
        assertThat(LoggerFactory.getLogger("any")).isInstanceOf(StderrLogger.class);
    }
}
