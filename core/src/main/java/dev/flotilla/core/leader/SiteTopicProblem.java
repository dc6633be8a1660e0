package dev.flotilla.core.leader;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a site's topics cannot be used.
 *
 * @param reason text that stays the same while nothing changes
 * @param lostTables tables whose topics were replaced or have lost records; empty if the topics may become usable by
 *     themselves
 */
public record SiteTopicProblem(String reason, List<Table> lostTables) {
    /**
     * A site's topics as the brokers describe them.
     *
     * @param topics the ids of the existing topics
     * @param truncatedTables the tables whose first records the brokers have deleted
     * @param problem why the topics cannot be used; null if they can
     */
    public record SiteTopics(
            List<TopicId> topics,
            List<Table> truncatedTables,
            @Nullable String problem) {
        public SiteTopics {
            topics = List.copyOf(topics);
            truncatedTables = List.copyOf(truncatedTables);
        }
    }

    public SiteTopicProblem {
        lostTables = List.copyOf(lostTables);
    }

    public static SiteTopicProblem temporaryProblem(String reason) {
        return new SiteTopicProblem(reason, List.of());
    }

    /** Compares the site's topics with its head row; null if they can be used. */
    public static @Nullable SiteTopicProblem findProblem(
            SiteId site, @Nullable SiteHead head, @Nullable SiteTopics found) {
        if (head != null && !head.lostTables().isEmpty()) {
            String reason = head.unreachableReason();
            return new SiteTopicProblem(reason == null ? "its topics have lost records" : reason, head.lostTables());
        }
        if (found == null) {
            return temporaryProblem(
                    "none of its topics exists, or the orchestrator's ACLs do not allow it to see them");
        }
        List<TopicId> recorded = head == null ? List.of() : head.topicIds();
        List<Table> recreated = LostTableDetector.findRecreatedTables(recorded, found.topics());
        if (!recreated.isEmpty()) {
            return new SiteTopicProblem(
                    "topic " + new Topic(recreated.get(0), site).name() + " was deleted and created again", recreated);
        }
        if (!found.truncatedTables().isEmpty()) {
            return truncatedProblem(site, recorded, found.truncatedTables());
        }
        String problem = found.problem();
        return problem == null ? null : temporaryProblem(problem);
    }

    /** Only tables that were read have lost rows; a topic that was never read had lost them before, and is not read. */
    private static SiteTopicProblem truncatedProblem(SiteId site, List<TopicId> recorded, List<Table> truncated) {
        List<Table> lost = truncated.stream()
                .filter(table -> TopicId.of(recorded, table) != null)
                .toList();
        return new SiteTopicProblem(
                "the first records of topic " + new Topic(truncated.get(0), site).name()
                        + " were deleted: create the topic again",
                lost);
    }

    /** The problem of topics that end before what was read or written there; null if none does. */
    public static @Nullable SiteTopicProblem findLostRecords(SiteHead head, Map<TablePartition, Long> ends) {
        List<Table> truncated = LostTableDetector.findTruncatedTables(head, ends);
        return truncated.isEmpty()
                ? null
                : new SiteTopicProblem(
                        "topic " + new Topic(truncated.get(0), head.site()).name() + " has lost records", truncated);
    }
}
