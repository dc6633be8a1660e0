package dev.flotilla.runtime.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;

/** Keeps our meters to the labels they may have. A meter that has another is a bug, and found by its first use. */
final class MetricLabelValidator implements MeterFilter {
    static final String OURS = "flotilla";

    /** More sites than are supported, and more values than any of our enums has. */
    static final int MOST_VALUES = 512;

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        if (id.getName().startsWith(OURS)) {
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
