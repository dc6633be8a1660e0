package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.CampaignSpec;
import java.time.Duration;

/** Fields of a campaign that the contract has and this version rejects. */
final class UnsupportedFieldCodecs {
    private static final Duration MAX = Duration.ofDays(90);

    private UnsupportedFieldCodecs() {}

    static void declare(JsonObjectCodec.CodecBuilder<CampaignSpec> spec) {
        spec.unsupported("attempt", attempt(), "a deadline for attempts", "Rules for each attempt.");
    }

    private static JsonCodec<ManifestFields.UnsupportedValue> attempt() {
        var attempt = ManifestFields.unsupportedObject("attempt-rules", "Rules for each attempt.");
        attempt.unsupported(
                "deadline",
                ScalarCodecs.duration(Duration.ofMinutes(1), MAX),
                "a deadline for attempts",
                "How long an attempt may take after its call. Default: the policy's.");
        return ManifestFields.build(attempt);
    }
}
