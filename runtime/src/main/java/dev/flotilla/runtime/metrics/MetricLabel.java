package dev.flotilla.runtime.metrics;

import dev.flotilla.schemas.id.SiteId;
import io.micrometer.core.instrument.Tag;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labels that our meters may have. Each takes few values, however large the fleet. */
public enum MetricLabel {
    APPLICATION,
    SITE,
    /** Of campaigns that run now a bounded number, and the rest as one. */
    CAMPAIGN,
    TABLE,
    GATE,
    STATE,
    STEP,
    OUTCOME,
    EVENT,
    REASON,
    CLASS,
    STANDING,
    OPERATION,
    STATUS,
    RESULT;

    static final Set<String> NAMES =
            Stream.of(values()).map(MetricLabel::label).collect(Collectors.toUnmodifiableSet());

    /** The name as it stands in a meter. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** This label with the value of an enum, spelt as everywhere else. */
    public Tag of(Enum<?> value, String spelt) {
        if (value.getDeclaringClass().getEnumConstants().length > MetricLabelValidator.MOST_VALUES) {
            throw new IllegalArgumentException(value.getDeclaringClass() + " has too many values for a label");
        }
        return Tag.of(label(), spelt);
    }

    /** The label of a site. */
    public static Tag site(SiteId site) {
        return Tag.of(SITE.label(), site.name());
    }
}
