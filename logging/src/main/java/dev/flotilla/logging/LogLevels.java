package dev.flotilla.logging;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * From which level on each logger writes. A logger has the level of its longest prefix that has one, up to a dot.
 *
 * @param byPrefix numbers of SLF4J's levels by prefix; the empty prefix has the level of all other loggers
 */
public record LogLevels(Map<String, Integer> byPrefix) {
    /** A command prints its own messages, so only events of Flotilla and errors of libraries are logged. */
    public static final LogLevels COMMAND = parse("error,flotilla=info,dev.flotilla=info,org.apache.kafka=off");

    /**
     * A service logs what happens; the libraries' routine messages are left out. So are the Kafka client's warnings
     * about single connections, which repeat for each broker and client while Kafka is away: the service logs that.
     */
    public static final LogLevels SERVICE =
            parse("info,org.apache.kafka=warn,org.apache.kafka.clients.NetworkClient=error,io.netty=warn");

    private static final String ROOT = "";
    private static final String OFF_LABEL = "off";
    private static final int OFF = Integer.MAX_VALUE;

    public LogLevels {
        byPrefix = Map.copyOf(byPrefix);
    }

    /** Returns why a text is not valid; null if it is. */
    public static @Nullable String problemOf(String text) {
        boolean valid = Arrays.stream(text.split(",", -1))
                .allMatch(part -> !part.startsWith("=") && levelOf(part.substring(part.indexOf('=') + 1)) != null);
        return valid
                ? null
                : "must be off, error, warn, info, debug or trace, also for single loggers, such as"
                        + " info,org.apache.kafka=debug";
    }

    /** Parses {@code LEVEL[,LOGGER=LEVEL…]}; the text must have no problem. */
    public static LogLevels parse(String text) {
        Map<String, Integer> levels = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            Integer level = levelOf(part.substring(equals + 1));
            if (level == null) {
                throw new IllegalArgumentException("\"" + text + "\" " + problemOf(text));
            }
            levels.put(equals < 0 ? ROOT : part.substring(0, equals), level);
        }
        return new LogLevels(levels);
    }

    private static @Nullable Integer levelOf(String label) {
        if (label.equals(OFF_LABEL)) {
            return OFF;
        }
        return Arrays.stream(Level.values())
                .filter(level -> level.name().toLowerCase(Locale.ROOT).equals(label))
                .map(Level::toInt)
                .findFirst()
                .orElse(null);
    }

    /** Returns these levels, overridden by others. The level of a package replaces those of the loggers in it. */
    public LogLevels with(LogLevels others) {
        Map<String, Integer> all = new LinkedHashMap<>(byPrefix);
        others.byPrefix.keySet().stream()
                .filter(prefix -> !prefix.isEmpty())
                .forEach(prefix -> all.keySet().removeIf(logger -> logger.startsWith(prefix + ".")));
        all.putAll(others.byPrefix);
        return new LogLevels(all);
    }

    /** Returns the number of the lowest level that a logger writes. */
    int lowestLevelOf(String logger) {
        String prefix = logger;
        while (!prefix.isEmpty()) {
            Integer level = byPrefix.get(prefix);
            if (level != null) {
                return level;
            }
            prefix = prefix.substring(0, Math.max(0, prefix.lastIndexOf('.')));
        }
        return byPrefix.getOrDefault(ROOT, Level.INFO.toInt());
    }
}
