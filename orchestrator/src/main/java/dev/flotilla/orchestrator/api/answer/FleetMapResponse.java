package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;
import java.util.stream.Stream;

/** Every cluster with how its machines stand, in few words: the whole fleet fits on a page. */
public record FleetMapResponse(List<SiteMap> sites, BlockedMachineCounts gates) {
    public static final JsonCodec<FleetMapResponse> CODEC = codec();

    /** The clusters of a site. */
    public record SiteMap(String site, List<ClusterCell> clusters) {
        private static final int MOST = 10_000;
        static final JsonObjectCodec<SiteMap> SITE = codec();

        private static JsonObjectCodec<SiteMap> codec() {
            var it = JsonObjectCodec.<SiteMap>of("map-site", "The clusters of a site.");
            it.required("site", ScalarCodecs.TOKEN, "Its name.", SiteMap::site);
            it.required(
                    "clusters",
                    new ListCodec<>(ClusterCell.CELL, ClusterCell.MOST),
                    "Its clusters that have machines, by namespace and name.",
                    SiteMap::clusters);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    /**
     * A cluster.
     *
     * @param machines a count for each condition, in their order
     * @param succeededBefore of those that wait, how many have come to the target of another campaign or annotation
     * @param quarantinedBefore of those that wait, how many another campaign or annotation has given up on
     */
    public record ClusterCell(String cluster, List<Integer> machines, int succeededBefore, int quarantinedBefore) {
        private static final int MOST = 1_000_000;
        static final JsonObjectCodec<ClusterCell> CELL = codec();

        private static JsonObjectCodec<ClusterCell> codec() {
            var it = JsonObjectCodec.<ClusterCell>of("map-cluster", "A cluster.");
            it.required("cluster", ResponseCodecs.WORDS, "As <namespace>/<name>.", ClusterCell::cluster);
            it.required(
                    "machines",
                    new ListCodec<>(ScalarCodecs.COUNT, MachineMapState.values().length),
                    "How many of its machines are in each condition, in the order of \"conditions\".",
                    ClusterCell::machines);
            it.required(
                    "succeededBefore",
                    ScalarCodecs.COUNT,
                    "Of those that wait, how many have succeeded in another campaign, or for an annotation.",
                    ClusterCell::succeededBefore);
            it.required(
                    "quarantinedBefore",
                    ScalarCodecs.COUNT,
                    "Of those that wait, how many are quarantined in another campaign, or for an annotation.",
                    ClusterCell::quarantinedBefore);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    private static JsonCodec<FleetMapResponse> codec() {
        List<String> labels =
                Stream.of(MachineMapState.values()).map(MachineMapState::label).toList();
        var it = JsonObjectCodec.<FleetMapResponse>of("map", "Every cluster with how its machines stand.");
        it.required(
                "conditions",
                new ListCodec<>(ScalarCodecs.oneOf(labels), labels.size()),
                "What a machine can be, in the order of the counts.",
                a -> labels);
        it.required(
                "sites",
                new ListCodec<>(SiteMap.SITE, SiteMap.MOST),
                "The sites that have machines.",
                FleetMapResponse::sites);
        it.required(
                "gates",
                BlockedMachineCounts.TALLY,
                "Where machines wait, on whosever behalf.",
                FleetMapResponse::gates);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
