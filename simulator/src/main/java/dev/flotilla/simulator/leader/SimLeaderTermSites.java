package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.HeadRowWriter;
import dev.flotilla.core.term.HeartbeatMonitor;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The sites of a term: which ones it has read, which are suspended because their topics are unusable, and the rows
 * withheld for those.
 */
final class SimLeaderTermSites {
    private final SimOrchestrator.SimOrchestratorContext world;
    private final String leader;
    private final DecisionEngine decisionEngine;
    private final SimTableFollower tables;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor heartbeatMonitor;
    private final SuspendedSiteRows withheldRows = new SuspendedSiteRows();
    private final Set<SiteId> reachable = new LinkedHashSet<>();

    /** Sites that have lost records since they were read: what was read of them is out of date. */
    private final Set<SiteId> sitesWithLostRecords = new LinkedHashSet<>();

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
        this.heartbeatMonitor = ear;
        tables.sites().stream().filter(headRowWriter.siteHeads()::containsKey).forEach(this::recordTopicIds);
    }

    Set<SiteId> readSites() {
        return Set.copyOf(tables.sites());
    }

    SuspendedSiteRows withheldRows() {
        return withheldRows;
    }

    /** Suspends the sites that could not be read, and those that an earlier leader has suspended. */
    void begin(Instant now, Consumer<Decision> written) {
        for (SiteHead head : tables.siteHeads().values()) {
            SiteId site = head.site();
            if (!tables.sites().contains(site)) {
                SiteTopicProblem problem = SiteTopicProblem.inspectBeforeRead(world, site, head);
                List<Table> lostTables = problem == null ? List.of() : problem.lost();
                suspendSite(site, lostTables, now, written);
                boolean counts = lostTables.isEmpty()
                        ? world.safeguards().countsUnreadSites()
                        : world.safeguards().countsLostSites();
                if (!counts) {
                    decisionEngine.state().markRestored(site);
                }
            } else if (head.unreachableSince() != null) {
                withheldRows.suspend(site);
                pauseInputs(site, true);
            }
        }
    }

    /** Whether the topics of a site are usable again, or for the first time. */
    boolean isUsableAgain(SiteId site) {
        boolean unavailable = withheldRows.isSuspended(site) || !tables.sites().contains(site);
        return unavailable
                && SiteTopicProblem.inspectBeforeRead(
                                world, site, headRowWriter.siteHeads().get(site))
                        == null;
    }

    /** Whether a site that is usable again has to be reread, and with it everything. */
    boolean mustBeReread(SiteId site) {
        return sitesWithLostRecords.contains(site);
    }

    /** Reads a site if that was not possible before, and sends the rows that were withheld for it. */
    CommitCheckContext.ReleasedSiteRows resumeSite(SiteId site, SimProducer producer) {
        Map<RowKey, RowChange> rows = withheldRows.resume(site);
        if (!tables.sites().contains(site)) {
            readSite(site, rows);
        }
        rows.forEach((key, rowChange) -> producer.send(OrchestratorPartitions.partitionOf(key), rowChange));
        reachable.add(site);
        return new CommitCheckContext.ReleasedSiteRows(site, rows);
    }

    /** Reads all rows of a site except those decided since, and continues with its inputs. */
    private void readSite(SiteId site, Map<RowKey, RowChange> decided) {
        tables.join(site, headRowWriter.head(), headRowWriter.siteHeads());
        decided.values().forEach(decisionEngine.state()::put);
        for (TablePartition tablePartition : OrchestratorPartitions.inputsOf(site)) {
            long from = ConsistentCut.decidedUpTo(headRowWriter.head(), headRowWriter.siteHeads(), tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        recordTopicIds(site);
        heartbeatMonitor.monitorSite(
                site, headRowWriter.siteHeads().get(site), world.scheduler().now());
    }

    private void recordTopicIds(SiteId site) {
        headRowWriter.setTopicIds(site, world.log().sites().ids(site));
    }

    /** Decides on sites whose topics have become unusable or usable. Returns the number of decisions. */
    int decide(Instant now, Consumer<Decision> written) {
        int decided = 0;
        for (SiteId site : world.sites()) {
            SiteHead head = headRowWriter.siteHeads().get(site);
            boolean read = tables.sites().contains(site);
            if (read && head != null && head.topicIds().isEmpty() && !withheldRows.isSuspended(site)) {
                recordTopicIds(site);
            }
            SiteTopicProblem problem = read
                    ? SiteTopicProblem.lastObserved(world, site, head)
                    : SiteTopicProblem.inspectBeforeRead(world, site, head);
            if (problem != null && !problem.lost().isEmpty()) {
                if (read) {
                    sitesWithLostRecords.add(site);
                }
                decided += suspendSite(site, problem.lost(), now, written);
            } else if (world.log().sites().isNoticedUnusable(site) && !withheldRows.isSuspended(site)) {
                decided += suspendSite(site, List.of(), now, written);
            }
        }
        for (SiteId site : reachable) {
            world.transcript().append(leader, () -> "resumes site " + site);
            pauseInputs(site, false);
            decided += decisionEngine.processInput(new DecisionInput.SiteReachable(site, now), 0, written);
        }
        reachable.clear();
        return decided;
    }

    private int suspendSite(SiteId site, List<Table> lostTables, Instant now, Consumer<Decision> written) {
        if (!withheldRows.isSuspended(site)) {
            String cause = lostTables.isEmpty() ? "" : ": lost records of " + lostTables;
            world.transcript().append(leader, () -> "suspends site " + site + cause);
            withheldRows.suspend(site);
            if (tables.sites().contains(site)) {
                pauseInputs(site, true);
            }
        }
        return decisionEngine.processInput(new DecisionInput.SiteUnreachable(site, null, lostTables, now), 0, written);
    }

    private void pauseInputs(SiteId site, boolean paused) {
        OrchestratorPartitions.inputsOf(site).forEach(tablePartition -> reader.pausePartition(tablePartition, paused));
    }
}
