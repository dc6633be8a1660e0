package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.TopicSetStatus;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The sites of a term: which are read, and which are set aside since their topics cannot be used. */
final class LeaderTermSites {
    private static final int JOIN_RECORDS = 2_000;

    private final OrchestratorLoopConfig world;
    private final SiteTopicWatcher siteTopicWatcher;
    private final PartitionReader reader;
    private final TableFollower tableFollower;
    private final LeaderTerm term;
    private final BooleanSupplier goesOn;
    private final Set<SiteId> read = new LinkedHashSet<>();
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final SiteReadGapTimer siteReadGapTimer;

    /** Of those read, the ones whose topics are others by now: what was read of them is no longer what they hold. */
    private final Set<SiteId> lost = new LinkedHashSet<>();

    /** What waited to be decided on when it began to be read, up to where. */
    private final Map<TablePartition, Long> waited = new LinkedHashMap<>();

    LeaderTermSites(
            OrchestratorLoopConfig world,
            SiteTopicWatcher siteTopicWatcher,
            PartitionReader reader,
            TableFollower tableFollower,
            LeaderTerm term,
            BooleanSupplier goesOn) {
        this.world = world;
        this.siteTopicWatcher = siteTopicWatcher;
        this.reader = reader;
        this.tableFollower = tableFollower;
        this.term = term;
        this.goesOn = goesOn;
        this.siteReadGapTimer = new SiteReadGapTimer(world.clock());
    }

    /** Goes on with these inputs, of which what waits up to their ends is decided before anything falls due. */
    void begin(Map<TablePartition, Long> inputs) {
        for (TablePartition tablePartition : inputs.keySet()) {
            term.setNextOffset(tablePartition, tableFollower.decidedUpTo(tablePartition));
            SiteId site = tablePartition.site();
            if (site != null && read.add(site)) {
                term.monitorHeartbeats(site, tableFollower);
                readsTopics(site);
            }
        }
        waited.putAll(inputs);
        setAside();
        handIn();
    }

    /** More has been read, and perhaps all that had waited. */
    void onPolled() {
        if (waited.entrySet().removeIf(end -> reader.nextOffset(end.getKey()) >= end.getValue())) {
            handIn();
        }
    }

    private void handIn() {
        if (waited.isEmpty()) {
            term.endBacklog();
        }
    }

    /** Sites that were set aside, and those that have a head row and were not read: what is in flight there counts. */
    private void setAside() {
        for (SiteHead head : tableFollower.siteHeads().values()) {
            SiteId site = head.site();
            if (!read.contains(site)) {
                SiteTopicProblem trouble = siteTopicWatcher.findProblem(site, head);
                aside.add(site);
                term.suspendSite(
                        site, trouble == null ? SiteTopicProblem.temporaryProblem("it was not read yet") : trouble);
            } else if (head.unreachableSince() != null) {
                aside.add(site);
            }
        }
    }

    private void readsTopics(SiteId site) {
        TopicSetStatus found = siteTopicWatcher.lastStatuses().sites().get(site);
        if (found != null && found.complete()) {
            term.setTopicIds(site, found.topics());
        }
    }

    /** Sites whose topics appeared, cannot be used any more, or can again. */
    void refreshSites() {
        Map<SiteId, SiteHead> heads = term.siteHeads();
        for (SiteId site : siteTopicWatcher.allSites(heads.keySet())) {
            SiteHead head = heads.get(site);
            SiteTopicProblem trouble = siteTopicWatcher.findProblem(site, head);
            if (trouble == null) {
                comesBack(site, head);
            } else if (head != null || siteTopicWatcher.isComplete(site)) {
                goes(site, trouble);
            }
        }
    }

    private void goes(SiteId site, SiteTopicProblem trouble) {
        if (!trouble.lostTables().isEmpty() && read.contains(site)) {
            lost.add(site);
        }
        if (aside.add(site)) {
            world.listener().siteUsabilityChanged(site, false);
        }
        leave(site);
        siteReadGapTimer.startGap(site);
        term.suspendSite(site, trouble);
    }

    /** Reads nothing more of a site: what it writes waits in Kafka, and nobody waits for it. */
    private void leave(SiteId site) {
        Set<TablePartition> kept = new LinkedHashSet<>(reader.assigned());
        if (kept.removeIf(tablePartition -> site.equals(tablePartition.site()))) {
            reader.assign(kept);
            waited.keySet().removeIf(tablePartition -> site.equals(tablePartition.site()));
            handIn();
        }
    }

    private void comesBack(SiteId site, @Nullable SiteHead head) {
        if (lost.contains(site)) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.WENT_BACK,
                    "the topics of site " + site + " were adopted: reading them anew",
                    null);
        }
        if (!read.contains(site) && !join(site, head)) {
            return;
        }
        siteReadGapTimer.endGap(site);
        if (aside.remove(site)) {
            world.listener().siteUsabilityChanged(site, true);
            follow(site);
            term.resumeSite(site);
        }
    }

    /** Reads a site's inputs on from where they are decided on; until they are read nothing falls due. */
    private void follow(SiteId site) {
        List<TablePartition> inputs = new ArrayList<>(OrchestratorPartitions.inputsOf(site));
        inputs.removeAll(reader.assigned());
        if (!inputs.isEmpty()) {
            StateRestorer.addPartitions(reader, inputs);
            inputs.forEach(tablePartition -> reader.seek(tablePartition, term.nextOffset(tablePartition)));
            waited.putAll(reader.endOffsets(inputs));
            term.expectBacklog();
        }
    }

    /** Reads all rows of a site that was not there before, and goes on with its inputs. Returns whether that could be done. */
    private boolean join(SiteId site, @Nullable SiteHead head) {
        try (PartitionReader once =
                new PartitionReader(world.clients(), world.name() + "-" + site, JOIN_RECORDS, world.requestTimeout())) {
            List<TablePartition> places = StateRestorer.partitionsOf(site);
            StateRestorer.addPartitions(once, places);
            Map<TablePartition, Long> ends = once.endOffsets(places);
            TableFollower rows = tableFollower.forTerm(term);
            if (StateRestorer.hasLostRecords(siteTopicWatcher, head, ends)
                    || !StateRestorer.readTo(ends, once, rows, new PausedPartitions(once), goesOn)) {
                return false;
            }
            rows.requireReadable(siteTopicWatcher.unreadable());
            rows.markRead(places);
            List<TablePartition> inputs = OrchestratorPartitions.inputsOf(site);
            StateRestorer.addPartitions(reader, inputs);
            for (TablePartition tablePartition : inputs) {
                reader.seek(tablePartition, once.nextOffset(tablePartition));
                term.setNextOffset(tablePartition, rows.decidedUpTo(tablePartition));
            }
            term.monitorHeartbeats(site, rows);
            readsTopics(site);
            term.addBacklog(rows.removeWaitingInputs());
            read.add(site);
        }
        world.listener().siteUsabilityChanged(site, true);
        return true;
    }
}
