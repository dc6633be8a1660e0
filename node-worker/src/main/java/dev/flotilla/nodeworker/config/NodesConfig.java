package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.drive.Asking;
import dev.flotilla.runtime.config.ConfigCodecs;
import dev.flotilla.runtime.config.HostPort;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How nodes are reached and how often they are asked.
 *
 * @param via where to connect to instead of the nodes
 */
public record NodesConfig(@Nullable HostPort via, Duration askEvery) {
    public static final NodesConfig DEFAULT = new NodesConfig(null, Asking.USUAL);
    static final JsonCodec<NodesConfig> CODEC = codec();

    private static JsonCodec<NodesConfig> codec() {
        var it = JsonObjectCodec.<NodesConfig>of("nodes", "How nodes are reached and how often they are asked.");
        var via = it.optional(
                "via",
                ConfigCodecs.LISTEN,
                "Connect there instead of to the nodes: a forwarder that goes by the header Host.",
                NodesConfig::via);
        var every = it.defaulted(
                "askEvery",
                ScalarCodecs.duration(Duration.ofMillis(20), Duration.ofMinutes(5)),
                DEFAULT.askEvery(),
                "A node is asked so often while its change may end; far less often before and long after.",
                NodesConfig::askEvery);
        return it.build(v -> new NodesConfig(v.get(via), v.get(every)));
    }
}
