package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of machines, by cluster and name. */
public record MachineListResponse(
        List<MachineListItem> machines, @Nullable String nextCursor) {
    public static final JsonCodec<MachineListResponse> CODEC = codec();

    private static JsonCodec<MachineListResponse> codec() {
        var it = JsonObjectCodec.<MachineListResponse>of("machines", "A page of machines, by cluster and name.");
        it.required(
                "machines",
                new ListCodec<>(MachineListItem.ITEM, ResponseCodecs.MAX_PAGE_ITEMS),
                "The machines of the page.",
                MachineListResponse::machines);
        it.optional(
                "nextCursor",
                ResponseCodecs.TEXT,
                "Pass it as \"after\" to get the next page; absent on the last page. A page may be short or empty and"
                        + " still have one, because a request reads a limited number of machines.",
                MachineListResponse::nextCursor);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
