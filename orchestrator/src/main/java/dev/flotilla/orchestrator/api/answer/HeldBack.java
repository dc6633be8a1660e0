package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import org.jspecify.annotations.Nullable;

/** An input that an open transaction holds back: nothing that was written behind it is decided on. */
final class HeldBack {
    static final RecordCodec<OpenTransaction> HELD_BACK = codec();

    private HeldBack() {}

    private static RecordCodec<OpenTransaction> codec() {
        var it = RecordCodec.<OpenTransaction>of(
                "held-back", "An input that an open transaction of another producer holds back.");
        it.required("topic", Scalars.TOKEN, "The topic.", OpenTransaction::topic);
        it.required(
                "partition",
                Scalars.COUNT,
                "Its partition.",
                open -> open.place().partition());
        it.optional("site", Scalars.TOKEN, "The site whose topic it is; absent for the fleet's.", HeldBack::site);
        it.required("offset", Scalars.SEQ, "Nothing is read from here on.", OpenTransaction::first);
        it.required("behind", Scalars.SEQ, "How many offsets that are.", OpenTransaction::behind);
        it.optional(
                "transactionalId",
                Scalars.TOKEN,
                "Whose transaction it is; absent where we may not know.",
                OpenTransaction::transactionalId);
        it.optional(
                "endsBy",
                Scalars.INSTANT,
                "When the broker ends it at the latest; absent where we may not know.",
                OpenTransaction::endsBy);
        it.required("says", Scalars.text(0, 4_096), "The same as a sentence.", OpenTransaction::says);
        return Written.only(it);
    }

    private static @Nullable String site(OpenTransaction open) {
        SiteId site = open.place().site();
        return site == null ? null : site.name();
    }
}
