package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.id.SiteId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All topics, as the brokers describe them.
 *
 * @param sites of which at least one topic is there, by name
 */
public record TopicSetStatuses(TopicSetStatus fleet, SortedMap<SiteId, TopicSetStatus> sites) {
    public TopicSetStatuses {
        sites = Collections.unmodifiableSortedMap(new TreeMap<>(sites));
    }
}
