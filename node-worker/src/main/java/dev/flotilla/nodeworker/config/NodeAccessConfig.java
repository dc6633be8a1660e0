package dev.flotilla.nodeworker.config;

import dev.flotilla.nodeworker.upgrade.PollIntervalEstimator;
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
 * @param connectTo where to connect to instead of the nodes
 */
public record NodeAccessConfig(@Nullable HostPort connectTo, Duration pollInterval) {
    public static final NodeAccessConfig DEFAULT = new NodeAccessConfig(null, PollIntervalEstimator.USUAL);
    static final JsonCodec<NodeAccessConfig> CODEC = codec();

    private static JsonCodec<NodeAccessConfig> codec() {
        var it = JsonObjectCodec.<NodeAccessConfig>of("nodes", "How nodes are reached and how often they are asked.");
        var via = it.optional(
                "via",
                ConfigCodecs.LISTEN,
                "Connect there instead of to the nodes: a forwarder that goes by the header Host.",
                NodeAccessConfig::connectTo);
        var every = it.defaulted(
                "askEvery",
                ScalarCodecs.duration(Duration.ofMillis(20), Duration.ofMinutes(5)),
                DEFAULT.pollInterval(),
                "A node is asked so often while its change may end; far less often before and long after.",
                NodeAccessConfig::pollInterval);
        return it.build(v -> new NodeAccessConfig(v.get(via), v.get(every)));
    }
}
