package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.LostTableDetector;
import dev.flotilla.runtime.kafka.TopicSetStatus;
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
record SiteTopicProblem(String reason, List<Table> lostTables) {
    SiteTopicProblem {
        lostTables = List.copyOf(lostTables);
    }

    static SiteTopicProblem temporaryProblem(String reason) {
        return new SiteTopicProblem(reason, List.of());
    }

    /** Compares the site's topics, as the brokers describe them, with its head row; null if they can be used. */
    static @Nullable SiteTopicProblem findProblem(
            SiteId site, @Nullable SiteHead head, @Nullable TopicSetStatus found) {
        if (head != null && !head.lostTables().isEmpty()) {
            String reason = head.unreachableReason();
            return new SiteTopicProblem(reason == null ? "its topics have lost records" : reason, head.lostTables());
        }
        if (found == null) {
            return temporaryProblem(
                    "none of its topics exists, or the orchestrator's ACLs do not allow it to see them");
        }
        SiteTopicProblem recreated = recreatedProblem(site, head == null ? List.of() : head.topicIds(), found.topics());
        if (recreated != null) {
            return recreated;
        }
        if (!found.truncatedTables().isEmpty()) {
            return truncatedProblem(site, head == null ? List.of() : head.topicIds(), found.truncatedTables());
        }
        String problem = found.problem();
        return problem == null ? null : temporaryProblem(problem);
    }

    private static @Nullable SiteTopicProblem recreatedProblem(
            SiteId site, List<TopicId> recorded, List<TopicId> found) {
        List<Table> recreatedTables = LostTableDetector.findRecreatedTables(recorded, found);
        return recreatedTables.isEmpty()
                ? null
                : new SiteTopicProblem(
                        "topic " + new Topic(recreatedTables.get(0), site).name() + " was deleted and created again",
                        recreatedTables);
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
    static @Nullable SiteTopicProblem lostRecordsProblem(SiteHead head, Map<TablePartition, Long> ends) {
        List<Table> truncated = LostTableDetector.findTruncatedTables(head, ends);
        return truncated.isEmpty()
                ? null
                : new SiteTopicProblem(
                        "topic " + new Topic(truncated.get(0), head.site()).name() + " has lost records", truncated);
    }
}
