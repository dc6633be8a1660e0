package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.CampaignSpec;
import java.time.Duration;

/** What a campaign may ask for by the contract, and what this version refuses: here so that it is one contract. */
final class LaterParts {
    private static final Duration MAX = Duration.ofDays(90);

    private LaterParts() {}

    static void declare(RecordCodec.Declaration<CampaignSpec> spec) {
        spec.later("attempt", attempt(), "a deadline for attempts", "What holds for each attempt.");
    }

    private static Codec<Shapes.Seen> attempt() {
        var attempt = Shapes.later("attempt-rules", "What holds for each attempt.");
        attempt.later(
                "deadline",
                Scalars.duration(Duration.ofMinutes(1), MAX),
                "a deadline for attempts",
                "How long an attempt may take after its call; without it as the policy says.");
        return Shapes.build(attempt);
    }
}
