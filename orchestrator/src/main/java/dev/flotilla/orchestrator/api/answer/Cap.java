package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CountOrPercent;
import org.jspecify.annotations.Nullable;

/** How many may be in flight at once. */
public record Cap(CountOrPercent limit, int machines) {
    static final JsonObjectCodec<Cap> CAP = codec();

    private static JsonObjectCodec<Cap> codec() {
        var it = JsonObjectCodec.<Cap>of("cap", "How many may be in flight at once.");
        var limit = it.required("limit", Forms.LIMIT, "As it was written.", Cap::limit);
        var machines = it.required("machines", ScalarCodecs.COUNT, "In machines, now.", Cap::machines);
        return it.build(v -> new Cap(v.get(limit), v.get(machines)));
    }

    static @Nullable Cap of(@Nullable CountOrPercent limit, int machines) {
        return limit == null ? null : new Cap(limit, limit.of(machines));
    }
}
