package dev.flotilla.runtime.kafka;

import java.time.Duration;
import java.util.Set;

/** Who owns the only partition of a topic without records is hinted at to lead. */
public final class LeaderHint implements AutoCloseable {
    private final Membership membership;

    public LeaderHint(KafkaSettings settings, String group, String topic, Duration session) {
        this.membership = new Membership(settings, group, topic, session);
    }

    /** Keeps the membership alive, and says whether the partition is owned now. */
    public boolean poll(Duration timeout) {
        Set<Integer> owned = membership.poll(timeout);
        return owned != null && !owned.isEmpty();
    }

    /** Leaves the group at once, so that another is asked. */
    @Override
    public void close() {
        membership.close();
    }
}
