package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.HeartbeatMonitor;
import dev.flotilla.core.leader.LeaderTermDecider;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.SiteTopicProblem;
import dev.flotilla.core.leader.SuspendedSiteRows;
import dev.flotilla.core.leader.TermSiteStates;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads, suspends and resumes the sites of a simulated term. */
final class SimLeaderTermSites {
    private final OrchestratorContext context;
    private final String leader;
    private final DecisionEngine decisionEngine;
    private final LeaderTermDecider termDecider;
    private final SimTableFollower tables;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final HeartbeatMonitor heartbeatMonitor;
    private final TermSiteStates siteStates = new TermSiteStates();
    private final SuspendedSiteRows<RowChange> withheldRows = new SuspendedSiteRows<>();

    SimLeaderTermSites(
            OrchestratorContext context,
            String leader,
            DecisionEngine decisionEngine,
            LeaderTermDecider termDecider,
            SimTableFollower tables,
            SimLogReader reader,
            HeadRowWriter headRowWriter,
            HeartbeatMonitor heartbeatMonitor) {
        this.context = context;
        this.leader = leader;
        this.decisionEngine = decisionEngine;
        this.termDecider = termDecider;
        this.tables = tables;
        this.reader = reader;
        this.headRowWriter = headRowWriter;
        this.heartbeatMonitor = heartbeatMonitor;
        tables.sites().forEach(siteStates::markRead);
        tables.sites().stream().filter(headRowWriter.siteHeads()::containsKey).forEach(this::recordTopicIds);
    }

    Set<SiteId> readSites() {
        return Set.copyOf(siteStates.readSites());
    }

    SuspendedSiteRows<RowChange> withheldRows() {
        return withheldRows;
    }

    /** Suspends the sites that could not be read, and those that an earlier leader has suspended. */
    void begin() {
        for (SiteHead head : tables.siteHeads().values()) {
            SiteId site = head.site();
            if (!siteStates.isRead(site)) {
                SiteTopicProblem found = context.inspectTopics(site, head);
                SiteTopicProblem problem =
                        found == null ? SiteTopicProblem.temporaryProblem("it was not read yet") : found;
                suspendSite(site, problem);
                boolean counts = problem.lostTables().isEmpty()
                        ? context.safeguards().countsUnreadSites()
                        : context.safeguards().countsLostSites();
                if (!counts) {
                    decisionEngine.state().markRestored(site);
                }
            } else if (head.unreachableSince() != null) {
                siteStates.keepSuspended(site);
                withheldRows.suspendSite(site);
                pauseInputs(site, true);
            }
        }
    }

    /** What to do next about a site. Suspends it or reads it here, if that is the step. */
    TermSiteStates.SiteStep refreshSite(SiteId site) {
        SiteHead head = headRowWriter.siteHead(site);
        SiteTopicProblem problem = findProblem(site, head);
        TermSiteStates.SiteStep step = siteStates.nextStep(site, head, problem, true);
        if (step == TermSiteStates.SiteStep.SUSPEND) {
            suspendSite(site, Objects.requireNonNull(problem));
        } else if (step == TermSiteStates.SiteStep.READ) {
            readSite(site);
            return siteStates.nextStep(site, head, null, true);
        } else if (step == TermSiteStates.SiteStep.NOTHING
                && head != null
                && head.topicIds().isEmpty()) {
            recordTopicIds(site);
        }
        return step;
    }

    private @Nullable SiteTopicProblem findProblem(SiteId site, @Nullable SiteHead head) {
        return siteStates.isRead(site) && !siteStates.isSuspended(site)
                ? context.lastTopicProblem(site, head)
                : context.inspectTopics(site, head);
    }

    private void suspendSite(SiteId site, SiteTopicProblem problem) {
        if (siteStates.suspendSite(site, problem)) {
            String cause = problem.lostTables().isEmpty() ? "" : ": lost records of " + problem.lostTables();
            context.transcript().append(leader, () -> "suspends site " + site + cause);
            withheldRows.suspendSite(site);
            if (siteStates.isRead(site)) {
                pauseInputs(site, true);
            }
        }
        termDecider.suspendSite(site, problem);
    }

    /** Sends the rows that were withheld for a site and reads its inputs again. */
    CommitCheckContext.ReleasedSiteRows sendWithheldRows(SiteId site, SimProducer producer) {
        siteStates.resumeSite(site);
        Map<RowKey, RowChange> rows = new LinkedHashMap<>();
        withheldRows.resumeSite(site).forEach(row -> rows.put(row.rowKey(), row));
        rows.forEach((key, rowChange) -> producer.send(OrchestratorPartitions.partitionOf(key), rowChange));
        seekInputs(site);
        return new CommitCheckContext.ReleasedSiteRows(site, rows);
    }

    /** Decides that a site is reachable, after its withheld rows are committed. */
    void resumeSite(SiteId site) {
        context.transcript().append(leader, () -> "resumes site " + site);
        pauseInputs(site, false);
        termDecider.resumeSite(site);
    }

    /** Reads all rows of a site except those decided since, and continues with its inputs. */
    private void readSite(SiteId site) {
        tables.join(site, headRowWriter.siteHeads());
        siteStates.markRead(site);
        withheldRows.reapplyRows(site, decisionEngine.state());
        seekInputs(site);
        recordTopicIds(site);
        heartbeatMonitor.monitorSite(
                site, headRowWriter.siteHead(site), context.scheduler().now());
    }

    private void seekInputs(SiteId site) {
        for (TablePartition tablePartition : OrchestratorPartitions.inputsOf(site)) {
            long from = headRowWriter.nextOffset(tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        termDecider.expectBacklog();
    }

    private void recordTopicIds(SiteId site) {
        headRowWriter.setTopicIds(site, context.log().sites().ids(site));
    }

    private void pauseInputs(SiteId site, boolean paused) {
        List<TablePartition> inputs = OrchestratorPartitions.inputsOf(site);
        inputs.forEach(tablePartition -> reader.pausePartition(tablePartition, paused));
    }
}
