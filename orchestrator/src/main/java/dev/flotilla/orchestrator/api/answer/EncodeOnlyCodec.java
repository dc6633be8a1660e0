package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.row.RejectionReason;

/** Makes codecs of responses, which are encoded and never decoded. */
final class EncodeOnlyCodec {
    private EncodeOnlyCodec() {}

    static <R> JsonObjectCodec<R> encodeOnly(JsonObjectCodec.CodecBuilder<R> declaration) {
        return declaration.build((values, at, problems) -> {
            problems.add(RejectionReason.BAD_VALUE, at, "is a response and cannot be decoded", null);
            return null;
        });
    }
}
