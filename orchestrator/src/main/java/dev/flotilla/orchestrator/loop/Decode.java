package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.json.ZoneFlaws;
import dev.flotilla.schemas.json.codec.Rejection;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.ZoneRules;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is said of a record that cannot be taken. */
final class Decode {
    /** No key that is one is longer: a skip names a campaign and a machine, whose names have 63 and 253 characters. */
    private static final int LONGEST_KEY = 512;

    private Decode() {}

    /** A key as it was written, as far as a row can hold it; two long ones that begin alike stay two. */
    private static String key(@Nullable String written) {
        if (written == null || written.length() <= LONGEST_KEY) {
            return written == null ? "" : written;
        }
        return written.substring(0, LONGEST_KEY) + "…" + Integer.toHexString(written.hashCode());
    }

    /** Where a record that was not taken is told. */
    static RejectedKey keyOf(Read read) {
        return new RejectedKey(
                read.record().topic(),
                read.place().partition(),
                key(read.record().key()));
    }

    /** A record that is well by itself, and that nobody can decide on, by a bug. */
    static Rejection undecidable() {
        return new Rejection(
                RejectionReason.CANNOT_BE_DECIDED,
                "",
                "",
                "could not be decided on twice, by a bug of the orchestrator; its log says which",
                null);
    }

    /** A record that is well by itself, and whose decision Kafka would refuse. */
    static Rejection tooLarge(TooLarge large) {
        return new Rejection(RejectionReason.TOO_LARGE, "", "", String.valueOf(large.getMessage()), null);
    }

    /** The row that says why a record cannot be read. */
    static Rejected rejected(Read read, Rejection why, Instant at) {
        return rejected(read, why, at, false);
    }

    /** What is wrong with a record that can be read; null for nothing. */
    static @Nullable Rejected flaw(Read read, Fact fact, Instant at) {
        List<Rejection> flaws = ZoneFlaws.of(fact, ZoneRules::isKnownHere);
        return flaws.isEmpty() ? null : rejected(read, flaws.getFirst(), at, true);
    }

    private static Rejected rejected(Read read, Rejection why, Instant at, boolean readable) {
        return new Rejected(
                keyOf(read),
                read.offset(),
                why.reason(),
                why.path(),
                why.value(),
                why.hint() == null ? why.problem() : why.problem() + " (" + why.hint() + ")",
                at,
                readable,
                null);
    }
}
