package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Machines by cluster and name, a page of them. */
public record MachinesAnswer(
        List<MachineItem> machines, @Nullable String next) {
    public static final JsonCodec<MachinesAnswer> CODEC = codec();

    private static JsonCodec<MachinesAnswer> codec() {
        var it = JsonObjectCodec.<MachinesAnswer>of("machines", "Machines by cluster and name, a page of them.");
        it.required("machines", new ListCodec<>(MachineItem.ITEM, Forms.MOST), "The page.", MachinesAnswer::machines);
        it.optional(
                "next",
                Forms.WORDS,
                "Give it as \"after\" for the next page; absent at the end. A page may be short, or empty, and still have"
                        + " one: so many machines are looked at for a page, and no more.",
                MachinesAnswer::next);
        return Written.only(it);
    }
}
