package dev.flotilla.simulator.leader;

import dev.flotilla.core.term.LostTableDetector;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a site's topics cannot be used.
 *
 * @param lost the tables that have lost records; empty where the topics can be used again by themselves
 */
record SiteTopicProblem(List<Table> lost) {
    private static final SiteTopicProblem PASSING = new SiteTopicProblem(List.of());

    /** As somebody finds it who looks closely now, before the site is read; null where it can be. */
    static @Nullable SiteTopicProblem inspectBeforeRead(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head) {
        SiteTopicProblem known = of(world, site, head, world.log().sites().ids(site));
        return known == null && head != null ? wentBack(world.log(), head) : known;
    }

    /** As it was seen when somebody who looks again and again looked last; null where the topics can be used. */
    static @Nullable SiteTopicProblem lastObserved(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head) {
        return of(world, site, head, world.log().sites().lastCheckedIds(site));
    }

    private static @Nullable SiteTopicProblem of(
            SimOrchestrator.SimOrchestratorContext world, SiteId site, @Nullable SiteHead head, List<TopicId> found) {
        if (head != null && !head.lostTables().isEmpty()) {
            return new SiteTopicProblem(head.lostTables());
        }
        if (head != null && world.habits().comparesTopicIds()) {
            List<Table> others = LostTableDetector.recreated(head.topicIds(), found);
            if (!others.isEmpty()) {
                return new SiteTopicProblem(others);
            }
        }
        return world.log().sites().isUsable(site) ? null : PASSING;
    }

    private static @Nullable SiteTopicProblem wentBack(SimKafkaLog log, SiteHead head) {
        Map<TablePartition, Long> ends = new LinkedHashMap<>();
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.inputsOf(head.site()));
        places.addAll(OrchestratorPartitions.outputsOf(head.site()));
        places.forEach(tablePartition -> ends.put(tablePartition, log.end(tablePartition)));
        List<Table> shorter = LostTableDetector.truncated(head, ends);
        return shorter.isEmpty() ? null : new SiteTopicProblem(shorter);
    }
}
