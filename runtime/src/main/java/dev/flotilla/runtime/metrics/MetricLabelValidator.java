package dev.flotilla.runtime.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Checks that Flotilla's meters have only allowed labels. Another label is a bug and fails at the first use of the meter. */
final class MetricLabelValidator implements MeterFilter {
    static final String OWN_PREFIX = "flotilla";

    /** The maximum number of values: more than the supported sites and the constants of any enum. */
    static final int MAX_VALUES = 512;

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        if (id.getName().startsWith(OWN_PREFIX)) {
            for (Tag tag : id.getTags()) {
                if (!MetricLabel.NAMES.contains(tag.getKey())) {
                    throw new IllegalArgumentException("meter " + id.getName() + " has the label " + tag.getKey()
                            + "; a label is one of " + MetricLabel.NAMES);
                }
            }
        }
        return MeterFilterReply.NEUTRAL;
    }
}
