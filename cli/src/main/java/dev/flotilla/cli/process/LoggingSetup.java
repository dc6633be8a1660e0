package dev.flotilla.cli.process;

import java.util.LinkedHashMap;
import java.util.Map;

/** Default settings of logging, set before anything logs. System properties of the JVM take precedence. */
final class LoggingSetup {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private LoggingSetup() {}

    /** Logs one line for each event, with the time, and Kafka clients from level warn on. */
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
