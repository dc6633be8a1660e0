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
 * Connection to nodes, and how often they are polled.
 *
 * @param connectTo address to connect to instead of the nodes
 */
public record NodeAccessConfig(@Nullable HostPort connectTo, Duration pollInterval) {
    public static final NodeAccessConfig DEFAULT = new NodeAccessConfig(null, PollIntervalEstimator.DEFAULT_INTERVAL);
    static final JsonCodec<NodeAccessConfig> CODEC = codec();

    private static JsonCodec<NodeAccessConfig> codec() {
        var it = JsonObjectCodec.<NodeAccessConfig>of("nodes", "Connection to nodes, and how often they are polled.");
        var connectTo = it.optional(
                "connectTo",
                ConfigCodecs.LISTEN,
                "Address to connect to instead of the nodes: a forwarder that routes by the Host header.",
                NodeAccessConfig::connectTo);
        var pollInterval = it.defaulted(
                "pollInterval",
                ScalarCodecs.duration(Duration.ofMillis(20), Duration.ofMinutes(5)),
                DEFAULT.pollInterval(),
                "Interval at which a node is polled when its change is expected to end; much longer before and long"
                        + " after.",
                NodeAccessConfig::pollInterval);
        return it.build(v -> new NodeAccessConfig(v.get(connectTo), v.get(pollInterval)));
    }
}
