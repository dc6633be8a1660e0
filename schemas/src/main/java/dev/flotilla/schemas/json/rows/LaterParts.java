package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.CampaignSpec;
import java.time.Duration;

/** What a campaign may ask for by the contract, and what this version refuses: here so that it is one contract. */
final class LaterParts {
    private static final Duration MAX = Duration.ofDays(90);

    private LaterParts() {}

    static void declare(RecordCodec.Declaration<CampaignSpec> spec) {
        spec.later(
                "cohortBreaker",
                cohortBreaker(),
                "a cohort breaker",
                "Closes one kind of machine when its failures go together, and lets the rest go on.");
        spec.later(
                "drain",
                Shapes.oneOf("never", "auto", "always"),
                "a drain",
                "Whether a node is drained before its call: never, auto (where another node can take the pods) or"
                        + " always.");
        spec.later("attempt", attempt(), "a deadline for attempts", "What holds for each attempt.");
        spec.later(
                "basedOn",
                Scalars.text(1, 128),
                "an optimistic edit",
                "The hash of the specification that this one edits; a stale one is refused.");
    }

    static Codec<Shapes.Seen> domainCap() {
        var cap = Shapes.later("domain-cap", "A limit for each value of a label.");
        cap.later(
                "label",
                Scalars.text(1, 317),
                "a cap for each value of a label",
                "The label whose values are the domains.");
        cap.later("inFlight", Parts.LIMIT, "a cap for each value of a label", "Machines in flight for each value.");
        return Shapes.build(cap);
    }

    private static Codec<Shapes.Seen> cohortBreaker() {
        var breaker = Shapes.later("cohort-breaker", "When a cohort of machines is closed.");
        breaker.later(
                "labels",
                new Lists<>(Scalars.text(1, 317), 8),
                "cohorts by label",
                "The labels that tell cohorts apart, beside architecture, revision and site.");
        breaker.later("failures", Scalars.integer(1, 1_000), "a cohort breaker", "So many failures close a cohort.");
        breaker.later(
                "percent", Scalars.integer(1, 100), "a cohort breaker", "Such a share of failures closes a cohort.");
        return Shapes.build(breaker);
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
