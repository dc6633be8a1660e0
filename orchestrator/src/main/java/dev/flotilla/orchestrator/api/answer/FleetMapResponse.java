package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;
import java.util.stream.Stream;

/** All clusters with the number of their machines in each condition, compact enough for one page. */
public record FleetMapResponse(List<SiteMap> sites, BlockedMachineCounts gates) {
    public static final JsonCodec<FleetMapResponse> CODEC = codec();

    /** The clusters of a site. */
    public record SiteMap(String site, List<ClusterCell> clusters) {
        private static final int MAX_ITEMS = 10_000;
        static final JsonObjectCodec<SiteMap> SITE = codec();

        private static JsonObjectCodec<SiteMap> codec() {
            var it = JsonObjectCodec.<SiteMap>of("map-site", "The clusters of a site.");
            it.required("site", ScalarCodecs.TOKEN, "The site's name.", SiteMap::site);
            it.required(
                    "clusters",
                    new ListCodec<>(ClusterCell.CELL, ClusterCell.MAX_ITEMS),
                    "Clusters with machines, by namespace and name.",
                    SiteMap::clusters);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    /**
     * A cluster.
     *
     * @param machines a count for each condition, in the order of the conditions
     * @param succeededBefore waiting machines that have succeeded in another rollout
     * @param quarantinedBefore waiting machines that are quarantined in another rollout
     */
    public record ClusterCell(String cluster, List<Integer> machines, int succeededBefore, int quarantinedBefore) {
        private static final int MAX_ITEMS = 1_000_000;
        static final JsonObjectCodec<ClusterCell> CELL = codec();

        private static JsonObjectCodec<ClusterCell> codec() {
            var it = JsonObjectCodec.<ClusterCell>of("map-cluster", "A cluster.");
            it.required("cluster", ResponseCodecs.TEXT, "The cluster as <namespace>/<name>.", ClusterCell::cluster);
            it.required(
                    "machines",
                    new ListCodec<>(ScalarCodecs.COUNT, MachineMapState.values().length),
                    "The number of machines in each condition, in the order of \"conditions\".",
                    ClusterCell::machines);
            it.required(
                    "succeededBefore",
                    ScalarCodecs.COUNT,
                    "Waiting machines that have succeeded in another campaign or intent.",
                    ClusterCell::succeededBefore);
            it.required(
                    "quarantinedBefore",
                    ScalarCodecs.COUNT,
                    "Waiting machines that are quarantined in another campaign or intent.",
                    ClusterCell::quarantinedBefore);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    private static JsonCodec<FleetMapResponse> codec() {
        List<String> labels =
                Stream.of(MachineMapState.values()).map(MachineMapState::label).toList();
        var it = JsonObjectCodec.<FleetMapResponse>of("map", "All clusters with the number of machines in each state.");
        it.required(
                "states",
                new ListCodec<>(ScalarCodecs.oneOf(labels), labels.size()),
                "The states of machines, in the order of the counts.",
                a -> labels);
        it.required(
                "sites",
                new ListCodec<>(SiteMap.SITE, SiteMap.MAX_ITEMS),
                "Sites with machines.",
                FleetMapResponse::sites);
        it.required(
                "gates",
                BlockedMachineCounts.CODEC,
                "Waiting machines of all rollouts by the gate that blocks them.",
                FleetMapResponse::gates);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
