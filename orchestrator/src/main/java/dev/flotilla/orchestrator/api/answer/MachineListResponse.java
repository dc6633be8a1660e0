package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Machines by cluster and name, a page of them. */
public record MachineListResponse(
        List<MachineListItem> machines, @Nullable String nextCursor) {
    public static final JsonCodec<MachineListResponse> CODEC = codec();

    private static JsonCodec<MachineListResponse> codec() {
        var it = JsonObjectCodec.<MachineListResponse>of("machines", "Machines by cluster and name, a page of them.");
        it.required(
                "machines",
                new ListCodec<>(MachineListItem.ITEM, ResponseCodecs.MOST),
                "The page.",
                MachineListResponse::machines);
        it.optional(
                "next",
                ResponseCodecs.WORDS,
                "Give it as \"after\" for the next page; absent at the end. A page may be short, or empty, and still have"
                        + " one: so many machines are looked at for a page, and no more.",
                MachineListResponse::nextCursor);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
