package dev.flotilla.cli.process;

import java.util.LinkedHashMap;
import java.util.Map;

/** How a process logs. Said before anything logs; what whoever starts the JVM has said stays. */
final class LoggingSetup {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private LoggingSetup() {}

    /** A line for each thing that happened, with the time; Kafka's clients only when something is wrong. */
    static void configureProcessLogging() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("defaultLogLevel", "info");
        settings.put("log.org.apache.kafka", "warn");
        settings.put("log.io.netty", "warn");
        settings.put("showDateTime", "true");
        settings.put("dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        settings.put("showShortLogName", "true");
        settings.put("showThreadName", "false");
        settings.forEach((name, value) -> {
            if (System.getProperty(PREFIX + name) == null) {
                System.setProperty(PREFIX + name, value);
            }
        });
    }
}
