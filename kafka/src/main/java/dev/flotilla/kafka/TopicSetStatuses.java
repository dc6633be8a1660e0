package dev.flotilla.kafka;

import dev.flotilla.schemas.id.SiteId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The status of all topics, as the brokers describe them.
 *
 * @param sites the sites with at least one topic, by name
 */
public record TopicSetStatuses(TopicSetStatus fleet, SortedMap<SiteId, TopicSetStatus> sites) {
    public TopicSetStatuses {
        sites = Collections.unmodifiableSortedMap(new TreeMap<>(sites));
    }
}
