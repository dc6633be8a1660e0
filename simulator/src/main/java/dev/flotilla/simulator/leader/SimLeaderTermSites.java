package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The sites of a term: which it has read, which are set aside since their topics cannot be used, and what waits for them. */
final class SimLeaderTermSites {
    private final SimOrchestrator.SimOrchestratorContext world;
    private final String leader;
    private final DecisionEngine decisionEngine;
    private final SimTableFollower tables;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor ear;
    private final SuspendedSiteRows kept = new SuspendedSiteRows();
    private final Set<SiteId> reachable = new LinkedHashSet<>();

    /** Of those read, the ones that have lost records since: what was read of them is no longer what they hold. */
    private final Set<SiteId> lost = new LinkedHashSet<>();

    SimLeaderTermSites(
            SimOrchestrator.SimOrchestratorContext world,
            String leader,
            DecisionEngine decisionEngine,
            SimTableFollower tables,
            SimLogReader reader,
            HeadRowWriter headRowWriter,
            HeartbeatMonitor ear) {
        this.world = world;
        this.leader = leader;
        this.decisionEngine = decisionEngine;
        this.tables = tables;
        this.reader = reader;
        this.headRowWriter = headRowWriter;
        this.ear = ear;
        tables.sites().stream().filter(headRowWriter.siteHeads()::containsKey).forEach(this::readsTopics);
    }

    Set<SiteId> read() {
        return Set.copyOf(tables.sites());
    }

    SuspendedSiteRows kept() {
        return kept;
    }

    /** Sets aside the sites that could not be read, and those that an earlier leader has set aside. */
    void begin(Instant now, Consumer<Decision> written) {
        for (SiteHead head : tables.siteHeads().values()) {
            SiteId site = head.site();
            if (!tables.sites().contains(site)) {
                SiteTopicProblem trouble = SiteTopicProblem.inspectBeforeRead(world, site, head);
                List<Table> without = trouble == null ? List.of() : trouble.lost();
                setAside(site, without, now, written);
                boolean counts = without.isEmpty()
                        ? world.habits().countsUnreadSites()
                        : world.habits().countsLostSites();
                if (!counts) {
                    decisionEngine.state().markRestored(site);
                }
            } else if (head.unreachableSince() != null) {
                kept.suspend(site);
                hold(site, true);
            }
        }
    }

    /** Whether the topics of a site can be used again, or for the first time. */
    boolean isUsableAgain(SiteId site) {
        boolean away = kept.isSuspended(site) || !tables.sites().contains(site);
        return away
                && SiteTopicProblem.inspectBeforeRead(
                                world, site, headRowWriter.siteHeads().get(site))
                        == null;
    }

    /** Whether a site that is back has to be read anew, and with it everything. */
    boolean mustBeReread(SiteId site) {
        return lost.contains(site);
    }

    /** Reads a site where that could not be done before, and sends the rows that were kept back for it. */
    CommitCheckContext.ReleasedSiteRows resumeSite(SiteId site, SimProducer producer) {
        Map<RowKey, RowChange> rows = kept.resume(site);
        if (!tables.sites().contains(site)) {
            join(site, rows);
        }
        rows.forEach((key, rowChange) -> producer.send(OrchestratorPartitions.partitionOf(key), rowChange));
        reachable.add(site);
        return new CommitCheckContext.ReleasedSiteRows(site, rows);
    }

    /** Reads all rows of a site but those decided since, and goes on with its inputs. */
    private void join(SiteId site, Map<RowKey, RowChange> decided) {
        tables.join(site, headRowWriter.head(), headRowWriter.siteHeads());
        decided.values().forEach(decisionEngine.state()::put);
        for (TablePartition tablePartition : OrchestratorPartitions.inputsOf(site)) {
            long from = ConsistentCut.decidedUpTo(headRowWriter.head(), headRowWriter.siteHeads(), tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        readsTopics(site);
        ear.monitorSite(
                site, headRowWriter.siteHeads().get(site), world.scheduler().now());
    }

    private void readsTopics(SiteId site) {
        headRowWriter.setTopicIds(site, world.log().sites().ids(site));
    }

    /** Decides on sites whose topics cannot be used any more, or can again. Returns how many decisions there were. */
    int decide(Instant now, Consumer<Decision> written) {
        int taken = 0;
        for (SiteId site : world.sites()) {
            SiteHead head = headRowWriter.siteHeads().get(site);
            boolean read = tables.sites().contains(site);
            if (read && head != null && head.topicIds().isEmpty() && !kept.isSuspended(site)) {
                readsTopics(site);
            }
            SiteTopicProblem trouble = read
                    ? SiteTopicProblem.lastObserved(world, site, head)
                    : SiteTopicProblem.inspectBeforeRead(world, site, head);
            if (trouble != null && !trouble.lost().isEmpty()) {
                if (read) {
                    lost.add(site);
                }
                taken += setAside(site, trouble.lost(), now, written);
            } else if (world.log().sites().isNoticedUnusable(site) && !kept.isSuspended(site)) {
                taken += setAside(site, List.of(), now, written);
            }
        }
        for (SiteId site : reachable) {
            world.story().append(leader, () -> "takes site " + site + " back");
            hold(site, false);
            taken += decisionEngine.processInput(new DecisionInput.SiteReachable(site, now), 0, written);
        }
        reachable.clear();
        return taken;
    }

    private int setAside(SiteId site, List<Table> without, Instant now, Consumer<Decision> written) {
        if (!kept.isSuspended(site)) {
            String why = without.isEmpty() ? "" : ": " + without + " lost";
            world.story().append(leader, () -> "sets site " + site + " aside" + why);
            kept.suspend(site);
            if (tables.sites().contains(site)) {
                hold(site, true);
            }
        }
        return decisionEngine.processInput(new DecisionInput.SiteUnreachable(site, null, without, now), 0, written);
    }

    private void hold(SiteId site, boolean held) {
        OrchestratorPartitions.inputsOf(site).forEach(tablePartition -> reader.pausePartition(tablePartition, held));
    }
}
