package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.ClusterRules;
import java.time.Duration;

/** JSON codec for a campaign's rules within each cluster. */
final class ClusterRulesCodec {
    static final JsonCodec<ClusterRules> RULES = rules();

    private ClusterRulesCodec() {}

    private static JsonCodec<ClusterRules> rules() {
        var cluster = JsonObjectCodec.<ClusterRules>of("cluster-rules", "Rules within each cluster.");
        var inFlight = cluster.optional(
                "inFlight",
                SharedValueCodecs.LIMIT,
                "Machines of one cluster that may be in flight at once, control plane and workers together. Default: only"
                        + " maxUnavailable applies.",
                ClusterRules::maxInFlight);
        var unavailable = cluster.defaulted(
                "maxUnavailable",
                SharedValueCodecs.LIMIT,
                ClusterRules.DEFAULT.maxUnavailable(),
                "Workers of a cluster that may be unavailable or in flight at once, as a number or a percentage such as"
                        + " \"10%\" (rounded down, at least 1).",
                ClusterRules::maxUnavailable);
        var soak = cluster.omittedIfDefault(
                "soak",
                ScalarCodecs.duration(Duration.ZERO, Duration.ofDays(1)),
                Duration.ZERO,
                "The pause in a cluster between one machine's success and the next start.",
                ClusterRules::soak);
        var first = cluster.defaulted(
                "controlPlaneFirst",
                ScalarCodecs.FLAG,
                true,
                "Whether no worker starts before the whole control plane is at the target.",
                ClusterRules::controlPlaneFirst);
        var strict = cluster.omittedIfDefault(
                "strict",
                ScalarCodecs.FLAG,
                false,
                "Whether no more machines start in a cluster that has a quarantined machine, until that machine is skipped"
                        + " or retried by an order.",
                ClusterRules::strict);
        return cluster.build(
                v -> new ClusterRules(v.get(inFlight), v.get(unavailable), v.get(soak), v.get(first), v.get(strict)));
    }
}
