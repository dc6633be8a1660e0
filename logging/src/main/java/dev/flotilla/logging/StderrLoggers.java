package dev.flotilla.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;

/** All loggers of this process. */
final class StderrLoggers implements ILoggerFactory {
    static final StderrLoggers INSTANCE = new StderrLoggers(LogSettings.ofSystemProperties());

    private final Map<String, StderrLogger> loggers = new ConcurrentHashMap<>();
    private volatile LogSettings settings;

    StderrLoggers(LogSettings settings) {
        this.settings = settings;
    }

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, created -> new StderrLogger(created, this));
    }

    LogSettings settings() {
        return settings;
    }

    void apply(LogSettings now) {
        settings = now;
        loggers.values().forEach(StderrLogger::readLevel);
    }

    /** Writes an event. One call writes the whole line, so that lines of threads do not mix. */
    void write(LogEvent event) {
        System.err.print(settings.format().format(event));
        System.err.flush();
    }
}
