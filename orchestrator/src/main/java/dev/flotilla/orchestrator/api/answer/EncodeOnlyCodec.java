package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.row.RejectionReason;

/** The codec of something that we answer and never read. */
final class EncodeOnlyCodec {
    private EncodeOnlyCodec() {}

    static <R> JsonObjectCodec<R> encodeOnly(JsonObjectCodec.CodecBuilder<R> declaration) {
        return declaration.build((values, at, problems) -> {
            problems.add(RejectionReason.BAD_VALUE, at, "is an answer, and is not taken", null);
            return null;
        });
    }
}
