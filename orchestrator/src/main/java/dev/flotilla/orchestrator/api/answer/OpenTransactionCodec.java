package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import org.jspecify.annotations.Nullable;

/** Encodes an open transaction that blocks an input: records after its first offset are not decided on yet. */
final class OpenTransactionCodec {
    static final JsonObjectCodec<OpenTransaction> CODEC = codec();

    private OpenTransactionCodec() {}

    private static JsonObjectCodec<OpenTransaction> codec() {
        var it = JsonObjectCodec.<OpenTransaction>of(
                "open-transaction", "An input that another producer's open transaction blocks.");
        it.required("topic", ScalarCodecs.TOKEN, "The topic.", OpenTransaction::topic);
        it.required(
                "partition",
                ScalarCodecs.COUNT,
                "The topic's partition.",
                open -> open.partition().partition());
        it.optional(
                "site",
                ScalarCodecs.TOKEN,
                "The topic's site; absent for a topic of the fleet.",
                OpenTransactionCodec::siteName);
        it.required("offset", ScalarCodecs.SEQ, "The first offset that is blocked.", OpenTransaction::firstOffset);
        it.required(
                "blockedOffsets", ScalarCodecs.SEQ, "The number of blocked offsets.", OpenTransaction::blockedOffsets);
        it.optional(
                "transactionalId",
                ScalarCodecs.TOKEN,
                "The producer's transactional id; absent if the orchestrator may not read it.",
                OpenTransaction::transactionalId);
        it.optional(
                "timesOutAt",
                ScalarCodecs.INSTANT,
                "When the broker aborts it at the latest; absent if the orchestrator may not read it.",
                OpenTransaction::timesOutAt);
        it.required(
                "message",
                ScalarCodecs.text(0, 4_096),
                "The same as a sentence.",
                OpenTransaction::describeTransaction);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static @Nullable String siteName(OpenTransaction open) {
        SiteId site = open.partition().site();
        return site == null ? null : site.name();
    }
}
