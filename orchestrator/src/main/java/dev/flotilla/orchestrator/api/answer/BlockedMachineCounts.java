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
 * How many machines wait, each counted at the first gate that is closed to it.
 *
 * @param complete whether the whole fleet has been looked through; if not, ask again
 * @param ready machines that wait for their turn only
 */
public record BlockedMachineCounts(Instant countedAt, boolean complete, int ready, List<GateCount> gates) {
    static final JsonObjectCodec<BlockedMachineCounts> TALLY = codec();

    /** Machines that wait at a gate. */
    public record GateCount(GateLabel gate, int machines) {
        static final JsonObjectCodec<GateCount> ITEM = codec();

        private static JsonObjectCodec<GateCount> codec() {
            var it = JsonObjectCodec.<GateCount>of("gate-count", "Machines that wait at a gate.");
            it.required("gate", ResponseCodecs.GATE, "The gate.", GateCount::gate);
            it.required("machines", ScalarCodecs.COUNT, "How many.", GateCount::machines);
            return EncodeOnlyCodec.encodeOnly(it);
        }
    }

    /** A tally of what has been counted so far. */
    public static BlockedMachineCounts of(Instant asOf, boolean complete, int free, Map<GateLabel, Integer> counts) {
        List<GateCount> items = new ArrayList<>();
        for (GateLabel gate : GateLabel.values()) {
            Integer count = counts.get(gate);
            if (count != null) {
                items.add(new GateCount(gate, count));
            }
        }
        return new BlockedMachineCounts(asOf, complete, free, items);
    }

    private static JsonObjectCodec<BlockedMachineCounts> codec() {
        var it = JsonObjectCodec.<BlockedMachineCounts>of("gate-tally", "Where machines wait.");
        it.required("asOf", ScalarCodecs.INSTANT, "When the counting began.", BlockedMachineCounts::countedAt);
        it.required(
                "complete",
                ScalarCodecs.FLAG,
                "Whether all machines have been looked at. If not, the counting goes on: ask again.",
                BlockedMachineCounts::complete);
        it.required("free", ScalarCodecs.COUNT, "Machines that wait for their turn only.", BlockedMachineCounts::ready);
        it.required(
                "counts",
                new ListCodec<>(GateCount.ITEM, GateLabel.values().length),
                "The rest, each at the first gate that is closed to it.",
                BlockedMachineCounts::gates);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
