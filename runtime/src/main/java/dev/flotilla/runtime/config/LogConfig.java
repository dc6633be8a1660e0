package dev.flotilla.runtime.config;

import dev.flotilla.logging.LogFormat;
import dev.flotilla.logging.LogLevels;
import dev.flotilla.logging.LogSettings;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.function.Function;

/** How an application logs to stderr. */
public record LogConfig(LogFormat format, String level) {
    public static final LogConfig DEFAULT = new LogConfig(LogFormat.TEXT, "info");
    public static final JsonCodec<LogConfig> CODEC = codec();
    private static final int MAX_LEVEL_TEXT = 1_024;

    private static JsonCodec<LogConfig> codec() {
        var it = JsonObjectCodec.<LogConfig>of("log", "How this process logs to stderr.");
        var format = it.defaulted(
                "format",
                EnumCodec.of(LogFormat.class, LogFormat::label),
                DEFAULT.format(),
                "text: a line for people. json: an object in each line, for log collectors.",
                LogConfig::format);
        var level = it.defaulted(
                "level",
                ScalarCodecs.parsed(
                        "a log level", MAX_LEVEL_TEXT, LogLevels::problemOf, Function.identity(), Function.identity()),
                DEFAULT.level(),
                "The lowest level that is logged: off, error, warn, info, debug or trace. Single loggers may have"
                        + " another, such as info,org.apache.kafka=debug; those of Kafka's client and Netty have warn,"
                        + " and org.apache.kafka.clients.NetworkClient has error.",
                LogConfig::level);
        return it.build(v -> new LogConfig(v.get(format), v.get(level)));
    }

    /** Makes this process log so. */
    public void apply() {
        new LogSettings(format, LogLevels.SERVICE.with(LogLevels.parse(level))).apply();
    }
}
