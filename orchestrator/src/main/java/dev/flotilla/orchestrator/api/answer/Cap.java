package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Limit;
import org.jspecify.annotations.Nullable;

/** How many may be in flight at once. */
public record Cap(Limit limit, int machines) {
    static final RecordCodec<Cap> CAP = codec();

    private static RecordCodec<Cap> codec() {
        var it = RecordCodec.<Cap>of("cap", "How many may be in flight at once.");
        var limit = it.required("limit", Forms.LIMIT, "As it was written.", Cap::limit);
        var machines = it.required("machines", Scalars.COUNT, "In machines, now.", Cap::machines);
        return it.build(v -> new Cap(v.get(limit), v.get(machines)));
    }

    static @Nullable Cap of(@Nullable Limit limit, int machines) {
        return limit == null ? null : new Cap(limit, limit.of(machines));
    }
}
