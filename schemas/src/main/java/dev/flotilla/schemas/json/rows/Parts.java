package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.LimitCodec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.codec.Suggestion;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.UpgradeOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Codecs of values that several rows have. */
final class Parts {
    static final String SITE_TEXT = "The site: the same as in the topic's name, or the record is refused.";

    static final Codec<DrainMode> DRAIN = Choice.of(DrainMode.class, DrainMode::label);

    static final Codec<Labels> LABELS = new LabelsCodec();
    static final Codec<Limit> LIMIT = new LimitCodec();
    static final Codec<UpgradeOption> OPTION = Scalars.hinted(
            "an upgrade option such as channel=1.33-classic/stable",
            UpgradeOption.MAX_LENGTH,
            UpgradeOption::problemOf,
            Parts::nearOption,
            UpgradeOption::parse,
            UpgradeOption::text);
    static final Codec<RetryRule> RETRIES = retries();
    static final Codec<List<Offset>> OFFSETS = new OffsetsCodec();
    static final Codec<List<TopicId>> TOPICS = new TopicIdsCodec();

    private Parts() {}

    /** An option with the word that was probably meant, or null. */
    private static @Nullable String nearOption(String wrong) {
        int equals = wrong.indexOf('=');
        String word = equals < 0
                ? null
                : Suggestion.nearest(wrong.substring(0, equals), List.of("channel", "revision", "localPath"));
        String option = word == null ? null : word + wrong.substring(equals);
        return option == null || UpgradeOption.problemOf(option) != null ? null : "did you mean " + option + "?";
    }

    private static Codec<RetryRule> retries() {
        var rule = RecordCodec.<RetryRule>of(
                "retries",
                "How often and when a failed machine is tried again: the wait doubles with each failure, and a quarter of"
                        + " it is spread by the machine's name.");
        var attempts = rule.defaulted(
                "attempts",
                Scalars.integer(1, 20),
                RetryRule.DEFAULT.attempts(),
                "Tries in all, before the machine is quarantined.",
                RetryRule::attempts);
        var first = rule.defaulted(
                "firstDelay",
                Scalars.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
                RetryRule.DEFAULT.first(),
                "The wait after the first failure, such as 90s, 15m or 2h.",
                RetryRule::first);
        var longest = rule.defaulted(
                "longestDelay",
                Scalars.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
                RetryRule.DEFAULT.longest(),
                "The longest wait that doubling leads to.",
                RetryRule::longest);
        return rule.build((values, at, problems) -> {
            if (values.get(first).compareTo(values.get(longest)) > 0) {
                problems.badValue(at, "must have a firstDelay no longer than its longestDelay", null);
                return null;
            }
            return new RetryRule(values.get(attempts), values.get(first), values.get(longest));
        });
    }
}
