package dev.flotilla.cli.fleet;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.kafka.ComponentAcls;
import dev.flotilla.kafka.ConsumerGroupState.GroupMember;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.TopicStateReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrators that lead or could lead at once, as members of the consumer group from which Kafka chooses the leader.
 *
 * @param problem why its members could not be read; null if they were
 */
record LeaderGroup(List<GroupMember> members, @Nullable String problem) {

    static LeaderGroup read(FleetKafkaClient kafka) {
        try (TopicStateReader groups = kafka.topicStateReader()) {
            return new LeaderGroup(groups.readMembers(ComponentAcls.LEADER_GROUP), null);
        } catch (KafkaFailure failure) {
            return new LeaderGroup(
                    List.of(),
                    failure.kind() == KafkaFailure.Kind.NOT_ALLOWED
                            ? "this login needs the right to describe group " + ComponentAcls.LEADER_GROUP
                                    + " (deploy/kafka/acls.sh fleet)"
                            : failure.getMessage());
        }
    }

    String line() {
        if (problem != null) {
            return "leader: not shown: " + problem;
        }
        if (members.isEmpty()) {
            return "leader: none; no orchestrator is ready to lead";
        }
        List<GroupMember> leaders = leaders(members);
        List<GroupMember> standbys = standbys(members);
        return "leader: " + (leaders.isEmpty() ? "none" : describe(leaders))
                + (standbys.isEmpty() ? "; no standby" : "; standby: " + describe(standbys));
    }

    void addTo(JsonObjectReader.Builder json) {
        if (problem == null) {
            leaders(members).forEach(leader -> json.put("leader", json(leader)));
            json.put(
                    "standbys",
                    JsonFormatter.list(
                            standbys(members).stream().map(LeaderGroup::json).toList()));
        }
    }

    private static List<GroupMember> leaders(List<GroupMember> members) {
        return members.stream().filter(LeaderGroup::isLeader).toList();
    }

    private static List<GroupMember> standbys(List<GroupMember> members) {
        return members.stream().filter(member -> !isLeader(member)).toList();
    }

    /** The group has one partition, and its owner leads. */
    private static boolean isLeader(GroupMember member) {
        return !member.partitions().isEmpty();
    }

    private static String describe(List<GroupMember> members) {
        return members.stream()
                .map(member -> member.clientId() + " at " + address(member))
                .collect(Collectors.joining(", "));
    }

    private static JsonObjectReader json(GroupMember member) {
        return new JsonObjectReader.Builder()
                .put("name", member.clientId())
                .put("address", address(member))
                .build();
    }

    /** Kafka prints an address as Java does, behind a slash. */
    private static String address(GroupMember member) {
        return member.host().replaceFirst("^/", "");
    }
}
