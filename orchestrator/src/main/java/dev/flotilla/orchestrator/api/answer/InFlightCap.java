package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CountOrPercent;
import org.jspecify.annotations.Nullable;

/** A cap on machines in flight. */
public record InFlightCap(CountOrPercent limit, int machines) {
    static final JsonObjectCodec<InFlightCap> CAP = codec();

    private static JsonObjectCodec<InFlightCap> codec() {
        var it = JsonObjectCodec.<InFlightCap>of("cap", "A cap on machines in flight.");
        var limit = it.required(
                "limit",
                ResponseCodecs.COUNT_OR_PERCENT,
                "The cap as written: a number or a percentage.",
                InFlightCap::limit);
        var machines = it.required(
                "machines", ScalarCodecs.COUNT, "The cap as a number of machines now.", InFlightCap::machines);
        return it.build(v -> new InFlightCap(v.get(limit), v.get(machines)));
    }

    static @Nullable InFlightCap of(@Nullable CountOrPercent limit, int machines) {
        return limit == null ? null : new InFlightCap(limit, limit.of(machines));
    }
}
