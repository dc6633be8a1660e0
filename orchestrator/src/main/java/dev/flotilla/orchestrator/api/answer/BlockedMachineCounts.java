package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Waiting machines by the first gate that blocks each.
 *
 * @param complete whether the scan has counted the whole fleet; if not, query again later
 * @param ready machines that no gate blocks
 */
public record BlockedMachineCounts(Instant countedAt, boolean complete, int ready, List<GateCount> gates) {
    static final JsonObjectCodec<BlockedMachineCounts> CODEC = codec();

    /** Machines that one gate blocks. */
    public record GateCount(GateLabel gate, int machines) {
        static final JsonObjectCodec<GateCount> ITEM = codec();

        private static JsonObjectCodec<GateCount> codec() {
            var it = JsonObjectCodec.<GateCount>of("gate-count", "Machines that one gate blocks.");
            it.required("gate", ResponseCodecs.GATE, "The gate.", GateCount::gate);
            it.required("machines", ScalarCodecs.COUNT, "The number of machines.", GateCount::machines);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    /** The counts of a scan so far. */
    public static BlockedMachineCounts of(
            Instant countedAt, boolean complete, int ready, Map<GateLabel, Integer> counts) {
        List<GateCount> items = new ArrayList<>();
        for (GateLabel gate : GateLabel.values()) {
            Integer count = counts.get(gate);
            if (count != null) {
                items.add(new GateCount(gate, count));
            }
        }
        return new BlockedMachineCounts(countedAt, complete, ready, items);
    }

    private static JsonObjectCodec<BlockedMachineCounts> codec() {
        var it = JsonObjectCodec.<BlockedMachineCounts>of(
                "blocked-machine-counts", "Waiting machines by the gate that blocks them.");
        it.required("countedAt", ScalarCodecs.INSTANT, "When the scan started.", BlockedMachineCounts::countedAt);
        it.required(
                "complete",
                ScalarCodecs.FLAG,
                "Whether all machines are counted. If not, the scan is still running: query again later.",
                BlockedMachineCounts::complete);
        it.required("ready", ScalarCodecs.COUNT, "Waiting machines that no gate blocks.", BlockedMachineCounts::ready);
        it.required(
                "counts",
                new ListCodec<>(GateCount.ITEM, GateLabel.values().length),
                "The other waiting machines, by the first gate that blocks each.",
                BlockedMachineCounts::gates);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
