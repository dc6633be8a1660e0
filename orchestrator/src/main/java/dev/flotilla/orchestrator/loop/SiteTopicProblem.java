package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.LostTableDetector;
import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a site's topics cannot be used.
 *
 * @param reason in words, the same as long as nothing changes
 * @param lostTables the tables whose topics are others than the head row speaks of, or have lost records; empty where the topics
 *     can be used again by themselves
 */
record SiteTopicProblem(String reason, List<Table> lostTables) {
    SiteTopicProblem {
        lostTables = List.copyOf(lostTables);
    }

    static SiteTopicProblem temporaryProblem(String reason) {
        return new SiteTopicProblem(reason, List.of());
    }

    /** The site's topics as the brokers describe them, against what its head row says; null where they can be used. */
    static @Nullable SiteTopicProblem findProblem(
            SiteId site, @Nullable SiteHead head, @Nullable TopicSetStatus found) {
        if (head != null && !head.lostTables().isEmpty()) {
            String reason = head.unreachableReason();
            return new SiteTopicProblem(reason == null ? "its topics have lost records" : reason, head.lostTables());
        }
        if (found == null) {
            return temporaryProblem("none of its topics is there, or all are hidden from us by an ACL");
        }
        SiteTopicProblem recreated = recreated(site, head == null ? List.of() : head.topicIds(), found.topics());
        if (recreated != null) {
            return recreated;
        }
        if (!found.truncatedTables().isEmpty()) {
            return trimmed(site, head == null ? List.of() : head.topicIds(), found.truncatedTables());
        }
        String fault = found.problem();
        return fault == null ? null : temporaryProblem(fault);
    }

    private static @Nullable SiteTopicProblem recreated(SiteId site, List<TopicId> recorded, List<TopicId> found) {
        List<Table> others = LostTableDetector.findRecreatedTables(recorded, found);
        return others.isEmpty()
                ? null
                : new SiteTopicProblem(
                        "topic " + new Topic(others.get(0), site).name() + " was deleted and created again", others);
    }

    /** Rows that were read are lost; those of a topic that nobody has read were lost before, and it is not read like that. */
    private static SiteTopicProblem trimmed(SiteId site, List<TopicId> recorded, List<Table> trimmed) {
        List<Table> known = trimmed.stream()
                .filter(table -> TopicId.of(recorded, table) != null)
                .toList();
        return new SiteTopicProblem(
                "the first records of topic " + new Topic(trimmed.get(0), site).name()
                        + " are deleted: create it again",
                known);
    }

    /** A site's topics that end before what was read or written there; null where none does. */
    static @Nullable SiteTopicProblem lostRecordsProblem(SiteHead head, Map<TablePartition, Long> ends) {
        List<Table> shorter = LostTableDetector.findTruncatedTables(head, ends);
        return shorter.isEmpty()
                ? null
                : new SiteTopicProblem(
                        "topic " + new Topic(shorter.get(0), head.site()).name() + " has lost records", shorter);
    }
}
