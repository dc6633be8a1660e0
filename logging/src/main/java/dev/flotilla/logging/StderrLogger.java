package dev.flotilla.logging;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** Writes the events of one logger. Markers are ignored. */
final class StderrLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private final transient StderrLoggers loggers;
    private volatile int lowestLevel;

    StderrLogger(String name, StderrLoggers loggers) {
        this.name = name;
        this.loggers = loggers;
        readLevel();
    }

    void readLevel() {
        lowestLevel = loggers.settings().levels().lowestLevelOf(name);
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= lowestLevel;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    @Override
    public void log(LoggingEvent event) {
        if (isEnabled(event.getLevel())) {
            loggers.write(new LogEvent(
                    Instant.now(),
                    event.getLevel(),
                    name,
                    format(event.getMessage(), event.getArgumentArray()),
                    Objects.requireNonNullElse(event.getKeyValuePairs(), List.of()),
                    event.getThrowable()));
        }
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable error) {
        loggers.write(new LogEvent(Instant.now(), level, name, format(message, arguments), List.of(), error));
    }

    private static String format(@Nullable String message, Object @Nullable [] arguments) {
        return String.valueOf(MessageFormatter.basicArrayFormat(message, arguments));
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }
}
