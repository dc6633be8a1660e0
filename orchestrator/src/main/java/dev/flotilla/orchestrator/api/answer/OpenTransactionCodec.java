package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import org.jspecify.annotations.Nullable;

/** An input that an open transaction holds back: nothing that was written behind it is decided on. */
final class OpenTransactionCodec {
    static final JsonObjectCodec<OpenTransaction> HELD_BACK = codec();

    private OpenTransactionCodec() {}

    private static JsonObjectCodec<OpenTransaction> codec() {
        var it = JsonObjectCodec.<OpenTransaction>of(
                "held-back", "An input that an open transaction of another producer holds back.");
        it.required("topic", ScalarCodecs.TOKEN, "The topic.", OpenTransaction::topic);
        it.required(
                "partition",
                ScalarCodecs.COUNT,
                "Its partition.",
                open -> open.partition().partition());
        it.optional(
                "site",
                ScalarCodecs.TOKEN,
                "The site whose topic it is; absent for the fleet's.",
                OpenTransactionCodec::site);
        it.required("offset", ScalarCodecs.SEQ, "Nothing is read from here on.", OpenTransaction::firstOffset);
        it.required("behind", ScalarCodecs.SEQ, "How many offsets that are.", OpenTransaction::blockedOffsets);
        it.optional(
                "transactionalId",
                ScalarCodecs.TOKEN,
                "Whose transaction it is; absent where we may not know.",
                OpenTransaction::transactionalId);
        it.optional(
                "endsBy",
                ScalarCodecs.INSTANT,
                "When the broker ends it at the latest; absent where we may not know.",
                OpenTransaction::timesOutAt);
        it.required(
                "says", ScalarCodecs.text(0, 4_096), "The same as a sentence.", OpenTransaction::describeTransaction);
        return EncodeOnlyCodec.encodeOnly(it);
    }

    private static @Nullable String site(OpenTransaction open) {
        SiteId site = open.partition().site();
        return site == null ? null : site.name();
    }
}
