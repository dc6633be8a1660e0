package dev.flotilla.simulator.leader;

import dev.flotilla.core.term.LostTableDetector;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a site's topics are unusable.
 *
 * @param lost the tables that have lost records; empty if the topics become usable again without intervention
 */
record SiteTopicProblem(List<Table> lost) {
    private static final SiteTopicProblem TEMPORARY = new SiteTopicProblem(List.of());

    /** The problem found by a close inspection now, before the site is read; null if it can be read. */
    static @Nullable SiteTopicProblem inspectBeforeRead(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head) {
        SiteTopicProblem known = of(world, site, head, world.log().sites().ids(site));
        return known == null && head != null ? findTruncated(world.log(), head) : known;
    }

    /** The problem as of the last regular check; null if the topics are usable. */
    static @Nullable SiteTopicProblem lastObserved(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head) {
        return of(world, site, head, world.log().sites().lastCheckedIds(site));
    }

    private static @Nullable SiteTopicProblem of(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head, List<TopicId> found) {
        if (head != null && !head.lostTables().isEmpty()) {
            return new SiteTopicProblem(head.lostTables());
        }
        if (head != null && world.safeguards().comparesTopicIds()) {
            List<Table> recreatedTables = LostTableDetector.findRecreatedTables(head.topicIds(), found);
            if (!recreatedTables.isEmpty()) {
                return new SiteTopicProblem(recreatedTables);
            }
        }
        return world.log().sites().isUsable(site) ? null : TEMPORARY;
    }

    private static @Nullable SiteTopicProblem findTruncated(SimKafkaLog log, SiteHead head) {
        Map<TablePartition, Long> ends = new LinkedHashMap<>();
        List<TablePartition> partitions = new ArrayList<>(OrchestratorPartitions.inputsOf(head.site()));
        partitions.addAll(OrchestratorPartitions.outputsOf(head.site()));
        partitions.forEach(tablePartition -> ends.put(tablePartition, log.end(tablePartition)));
        List<Table> shorter = LostTableDetector.findTruncatedTables(head, ends);
        return shorter.isEmpty() ? null : new SiteTopicProblem(shorter);
    }
}
