package dev.flotilla.runtime.metrics;

import dev.flotilla.schemas.id.SiteId;
import io.micrometer.core.instrument.Tag;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The labels of Flotilla's meters. The number of values of each label does not grow with the number of machines. */
public enum MetricLabel {
    APPLICATION,
    SITE,
    /** A limited number of running campaigns; all others share one value. */
    CAMPAIGN,
    TABLE,
    GATE,
    STATE,
    STEP,
    OUTCOME,
    EVENT,
    REASON,
    CLASS,
    ROLE,
    OPERATION,
    STATUS,
    KIND,
    RESULT,
    VERSION;

    static final Set<String> NAMES =
            Stream.of(values()).map(MetricLabel::label).collect(Collectors.toUnmodifiableSet());

    /** Returns the label's name in a meter. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns a tag of this label with an enum constant's label as its value. */
    public Tag of(Enum<?> value, String spelt) {
        if (value.getDeclaringClass().getEnumConstants().length > MetricLabelValidator.MAX_VALUES) {
            throw new IllegalArgumentException(value.getDeclaringClass() + " has too many values for a label");
        }
        return Tag.of(label(), spelt);
    }

    /** Returns a tag with a site's name. */
    public static Tag site(SiteId site) {
        return Tag.of(SITE.label(), site.name());
    }
}
