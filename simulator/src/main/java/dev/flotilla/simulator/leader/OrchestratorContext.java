package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decider;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all orchestrators of a world share. */
record OrchestratorContext(
        SimKafkaLog log,
        VirtualClockScheduler scheduler,
        FaultRateSchedule faults,
        Transcript transcript,
        List<SiteId> sites,
        Supplier<Decider> decider,
        OrchestratorSafeguards safeguards,
        LeaderLoopConfig loopConfig) {
    private static final String UNUSABLE = "its topics cannot be read or written";

    /** Why a site that is not read cannot be used now, by a close inspection; null if it can. */
    @Nullable
    SiteTopicProblem inspectTopics(SiteId site, @Nullable SiteHead head) {
        SiteTopicProblem known =
                findProblem(site, head, log.sites().ids(site), !log.sites().isUsable(site));
        return known == null && head != null ? SiteTopicProblem.findLostRecords(head, ends(site)) : known;
    }

    /** Why a site that is read cannot be used any more, as of the last regular check; null if it can. */
    @Nullable
    SiteTopicProblem lastTopicProblem(SiteId site, @Nullable SiteHead head) {
        return findProblem(
                site, head, log.sites().lastCheckedIds(site), log.sites().isNoticedUnusable(site));
    }

    private @Nullable SiteTopicProblem findProblem(
            SiteId site, @Nullable SiteHead head, List<TopicId> ids, boolean unusable) {
        List<TopicId> compared = safeguards.comparesTopicIds() ? ids : List.of();
        return SiteTopicProblem.findProblem(
                site, head, new SiteTopicProblem.SiteTopics(compared, List.of(), unusable ? UNUSABLE : null));
    }

    private Map<TablePartition, Long> ends(SiteId site) {
        List<TablePartition> partitions = new ArrayList<>(OrchestratorPartitions.inputsOf(site));
        partitions.addAll(OrchestratorPartitions.outputsOf(site));
        Map<TablePartition, Long> ends = new LinkedHashMap<>();
        partitions.forEach(tablePartition -> ends.put(tablePartition, log.end(tablePartition)));
        return ends;
    }
}
