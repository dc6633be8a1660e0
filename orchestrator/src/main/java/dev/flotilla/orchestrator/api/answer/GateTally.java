package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How many machines wait, each counted at the first gate that is closed to it.
 *
 * @param complete whether the whole fleet has been looked through; if not, ask again
 * @param free machines that wait for their turn only
 */
public record GateTally(Instant asOf, boolean complete, int free, List<Item> gates) {
    static final JsonObjectCodec<GateTally> TALLY = codec();

    /** Machines that wait at a gate. */
    public record Item(GateLabel gate, int machines) {
        static final JsonObjectCodec<Item> ITEM = codec();

        private static JsonObjectCodec<Item> codec() {
            var it = JsonObjectCodec.<Item>of("gate-count", "Machines that wait at a gate.");
            it.required("gate", Forms.GATE, "The gate.", Item::gate);
            it.required("machines", ScalarCodecs.COUNT, "How many.", Item::machines);
            return Written.only(it);
        }
    }

    /** A tally of what has been counted so far. */
    public static GateTally of(Instant asOf, boolean complete, int free, Map<GateLabel, Integer> counts) {
        List<Item> items = new ArrayList<>();
        for (GateLabel gate : GateLabel.values()) {
            Integer count = counts.get(gate);
            if (count != null) {
                items.add(new Item(gate, count));
            }
        }
        return new GateTally(asOf, complete, free, items);
    }

    private static JsonObjectCodec<GateTally> codec() {
        var it = JsonObjectCodec.<GateTally>of("gate-tally", "Where machines wait.");
        it.required("asOf", ScalarCodecs.INSTANT, "When the counting began.", GateTally::asOf);
        it.required(
                "complete",
                ScalarCodecs.FLAG,
                "Whether all machines have been looked at. If not, the counting goes on: ask again.",
                GateTally::complete);
        it.required("free", ScalarCodecs.COUNT, "Machines that wait for their turn only.", GateTally::free);
        it.required(
                "counts",
                new ListCodec<>(Item.ITEM, GateLabel.values().length),
                "The rest, each at the first gate that is closed to it.",
                GateTally::gates);
        return Written.only(it);
    }
}
