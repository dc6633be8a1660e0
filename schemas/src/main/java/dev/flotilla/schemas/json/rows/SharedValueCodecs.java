package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.CountOrPercentCodec;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.LabelsCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.codec.SpellingSuggestion;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** JSON codecs for values that several rows have. */
final class SharedValueCodecs {
    static final String SITE_TEXT = "The site; it must be the one in the topic's name, or the record is rejected.";

    static final JsonCodec<DrainMode> DRAIN = EnumCodec.of(DrainMode.class, DrainMode::label);

    static final JsonCodec<Labels> LABELS = new LabelsCodec();
    static final JsonCodec<CountOrPercent> LIMIT = new CountOrPercentCodec();
    static final JsonCodec<UpgradeTarget> OPTION = ScalarCodecs.parsedWithHint(
            "an upgrade option such as channel=1.33-classic/stable",
            UpgradeTarget.MAX_LENGTH,
            UpgradeTarget::problemOf,
            SharedValueCodecs::nearOption,
            UpgradeTarget::parse,
            UpgradeTarget::text);
    static final JsonCodec<RetryRule> RETRIES = retries();
    static final JsonCodec<List<PartitionOffset>> OFFSETS = new PartitionOffsetsCodec();
    static final JsonCodec<List<TopicId>> TOPICS = new TopicIdsCodec();

    private SharedValueCodecs() {}

    /** Returns the target with its misspelt kind or its missing v corrected, as a suggestion, or null. */
    private static @Nullable String nearOption(String wrong) {
        int equals = wrong.indexOf('=');
        String kind = equals < 0 ? null : SpellingSuggestion.nearest(wrong.substring(0, equals), UpgradeTarget.kinds());
        if (kind == null) {
            return null;
        }
        String value = wrong.substring(equals + 1);
        return Stream.of(value, "v" + value)
                .map(corrected -> kind + "=" + corrected)
                .filter(option -> !option.equals(wrong) && UpgradeTarget.problemOf(option) == null)
                .findFirst()
                .map(option -> "did you mean " + option + "?")
                .orElse(null);
    }

    private static JsonCodec<RetryRule> retries() {
        var rule = JsonObjectCodec.<RetryRule>of(
                "retries",
                "How often and when a failed machine is retried. The wait doubles with each failure; a quarter of it"
                        + " is jitter that depends on the machine's name.");
        var attempts = rule.defaulted(
                "attempts",
                ScalarCodecs.integer(1, 20),
                RetryRule.DEFAULT.maxAttempts(),
                "The number of attempts before the machine is quarantined.",
                RetryRule::maxAttempts);
        var first = rule.defaulted(
                "firstDelay",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
                RetryRule.DEFAULT.initialBackoff(),
                "The wait after the first failure, such as 90s, 15m or 2h.",
                RetryRule::initialBackoff);
        var longest = rule.defaulted(
                "longestDelay",
                ScalarCodecs.duration(Duration.ofSeconds(1), Duration.ofDays(7)),
                RetryRule.DEFAULT.maxBackoff(),
                "The maximum wait.",
                RetryRule::maxBackoff);
        return rule.build((values, at, problems) -> {
            if (values.get(first).compareTo(values.get(longest)) > 0) {
                problems.addBadValue(at, "must have a firstDelay no longer than its longestDelay", null);
                return null;
            }
            return new RetryRule(values.get(attempts), values.get(first), values.get(longest));
        });
    }
}
