package dev.flotilla.kafka;

import java.util.List;
import java.util.SortedMap;

/**
 * A consumer group of the fleet, such as that of the orchestrators.
 *
 * @param offsets committed offsets by partition; the fleet's groups commit none, because their offsets are in head rows
 */
public record ConsumerGroupState(
        String group, String state, List<GroupMember> members, SortedMap<String, Long> offsets) {
    /** A member and the partitions that it owns. */
    public record GroupMember(String clientId, String host, List<String> partitions) {}
}
