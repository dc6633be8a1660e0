package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.util.List;
import java.util.stream.Stream;

/** Every cluster with how its machines stand, in few words: the whole fleet fits on a page. */
public record MapAnswer(List<Site> sites, GateTally gates) {
    public static final JsonCodec<MapAnswer> CODEC = codec();

    /** The clusters of a site. */
    public record Site(String site, List<Cell> clusters) {
        private static final int MOST = 10_000;
        static final JsonObjectCodec<Site> SITE = codec();

        private static JsonObjectCodec<Site> codec() {
            var it = JsonObjectCodec.<Site>of("map-site", "The clusters of a site.");
            it.required("site", ScalarCodecs.TOKEN, "Its name.", Site::site);
            it.required(
                    "clusters",
                    new ListCodec<>(Cell.CELL, Cell.MOST),
                    "Its clusters that have machines, by namespace and name.",
                    Site::clusters);
            return Written.only(it);
        }
    }

    /**
     * A cluster.
     *
     * @param machines a count for each condition, in their order
     * @param succeededBefore of those that wait, how many have come to the target of another campaign or annotation
     * @param quarantinedBefore of those that wait, how many another campaign or annotation has given up on
     */
    public record Cell(String cluster, List<Integer> machines, int succeededBefore, int quarantinedBefore) {
        private static final int MOST = 1_000_000;
        static final JsonObjectCodec<Cell> CELL = codec();

        private static JsonObjectCodec<Cell> codec() {
            var it = JsonObjectCodec.<Cell>of("map-cluster", "A cluster.");
            it.required("cluster", Forms.WORDS, "As <namespace>/<name>.", Cell::cluster);
            it.required(
                    "machines",
                    new ListCodec<>(ScalarCodecs.COUNT, Condition.values().length),
                    "How many of its machines are in each condition, in the order of \"conditions\".",
                    Cell::machines);
            it.required(
                    "succeededBefore",
                    ScalarCodecs.COUNT,
                    "Of those that wait, how many have succeeded in another campaign, or for an annotation.",
                    Cell::succeededBefore);
            it.required(
                    "quarantinedBefore",
                    ScalarCodecs.COUNT,
                    "Of those that wait, how many are quarantined in another campaign, or for an annotation.",
                    Cell::quarantinedBefore);
            return Written.only(it);
        }
    }

    private static JsonCodec<MapAnswer> codec() {
        List<String> labels =
                Stream.of(Condition.values()).map(Condition::label).toList();
        var it = JsonObjectCodec.<MapAnswer>of("map", "Every cluster with how its machines stand.");
        it.required(
                "conditions",
                new ListCodec<>(ScalarCodecs.oneOf(labels), labels.size()),
                "What a machine can be, in the order of the counts.",
                a -> labels);
        it.required("sites", new ListCodec<>(Site.SITE, Site.MOST), "The sites that have machines.", MapAnswer::sites);
        it.required("gates", GateTally.TALLY, "Where machines wait, on whosever behalf.", MapAnswer::gates);
        return Written.only(it);
    }
}
