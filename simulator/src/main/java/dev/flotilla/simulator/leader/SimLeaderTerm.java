package dev.flotilla.simulator.leader;

import dev.flotilla.core.DecisionEngine;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.core.leader.FailedDecisionTracker;
import dev.flotilla.core.leader.HeadRowWriter;
import dev.flotilla.core.leader.HeartbeatMonitor;
import dev.flotilla.core.leader.LeaderTermDecider;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.TermSiteStates;
import dev.flotilla.core.leader.TermTimeSource;
import dev.flotilla.core.leader.TimeZoneRulesReader;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.log.SimLogReader;
import dev.flotilla.simulator.log.SimProducer;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.SimTimeZones;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The polls and commits of one simulated term; {@link LeaderTermDecider} decides, as in the orchestrator. The term ends
 * with the first commit that fails or whose outcome is unknown.
 */
final class SimLeaderTerm {
    private static final int MAX_UNRECORDED_INPUTS = 200;
    private static final long CLOCK_COMPARISON_INTERVAL = 10_000;

    private final SimOrchestrator orchestrator;
    private final SimProcess process;
    private final OrchestratorContext context;
    private final SimProducer producer;
    private final DecisionEngine decisionEngine;
    private final SimLogReader reader;
    private final HeadRowWriter headRowWriter;
    private final LeaderTermDecider termDecider;
    private final SimLeaderTermSites sites;
    private final FailedDecisionTracker failedDecisions;
    private final TermTimeSource clock = new SimTermClock();
    private SimOpenTransaction transaction;
    private boolean hasEnded;
    private boolean isCommitting;
    private boolean hasMoreInput;
    private long scheduledLoops;
    private long clocksComparedAt;
    private Instant lastInstant;

    /** This host's clock, and the true time where the core needs a clock that never goes back. */
    private final class SimTermClock implements TermTimeSource {
        @Override
        public Instant now() {
            Instant own = Instant.ofEpochMilli(process.clock());
            lastInstant = own.isAfter(lastInstant) ? own : lastInstant;
            return lastInstant;
        }

        @Override
        public long machineTime() {
            return context.scheduler().now();
        }

        @Override
        public long elapsedMillis() {
            return context.scheduler().now();
        }
    }

    SimLeaderTerm(
            SimOrchestrator orchestrator,
            OrchestratorContext context,
            SimTableFollower ready,
            SimProducer producer,
            FailedDecisionTracker failedDecisions) {
        this.failedDecisions = failedDecisions;
        this.orchestrator = orchestrator;
        this.process = orchestrator.process();
        this.context = context;
        this.producer = producer;
        this.lastInstant = ready.head().decidedAt();
        this.decisionEngine = new DecisionEngine(context.decider().get(), ready.state());
        this.reader = new SimLogReader(context.log());
        this.headRowWriter = new HeadRowWriter(ready.head(), ready.siteHeads());
        for (TablePartition tablePartition : OrchestratorPartitions.inputs(ready.sites())) {
            long from = context.safeguards().resumesFromOffsets()
                    ? ready.decidedUpTo(tablePartition)
                    : context.log().end(tablePartition);
            reader.seek(tablePartition, from);
            headRowWriter.setStartOffset(tablePartition, from);
        }
        HeartbeatMonitor heartbeatMonitor = new HeartbeatMonitor(
                ready.sites(),
                ready.siteHeads(),
                decisionEngine.state()::heartbeatTimeout,
                context.scheduler().now());
        this.transaction = newTransaction();
        this.termDecider = new LeaderTermDecider(
                decisionEngine,
                headRowWriter,
                heartbeatMonitor,
                clock,
                new TimeZoneRulesReader((zone, now) -> SimTimeZones.rules(zone), 0),
                failedDecisions,
                transaction,
                rejected -> {});
        this.sites = new SimLeaderTermSites(
                context, process.name(), decisionEngine, termDecider, ready, reader, headRowWriter, heartbeatMonitor);
    }

    private SimOpenTransaction newTransaction() {
        return new SimOpenTransaction(context, headRowWriter, decisionEngine.state(), process.name());
    }

    void end() {
        hasEnded = true;
    }

    void begin() {
        context.transcript()
                .append(
                        process.name(),
                        () -> "leads, from seq " + decisionEngine.state().head().seq());
        termDecider.beginTerm();
        orchestrator.clearParkedFailures(decisionEngine.state());
        sites.begin();
        isCommitting = true;
        commitLater();
    }

    /** Called when there may be inputs. */
    void onInput() {
        if (isCommitting) {
            hasMoreInput = true;
        } else {
            schedule(process.chance().between(2, 60));
        }
    }

    private void schedule(long delay) {
        long wake = ++scheduledLoops;
        process.later(delay, () -> {
            if (!hasEnded && !isCommitting && wake == scheduledLoops) {
                try {
                    loop();
                } catch (FailedDecisionTracker.InputDecisionException bug) {
                    CrashingDecider.InjectedBugException injected = requireInjected(bug);
                    failedDecisions.countFailure(bug);
                    orchestrator.decisionFailed(bug.input(), injected.getMessage());
                } catch (DecisionFailedException bug) {
                    requireInjected(bug);
                    failedDecisions.countFailure(bug);
                    orchestrator.decisionFailed(bug.subject(), bug.getMessage());
                }
            }
        });
    }

    private static CrashingDecider.InjectedBugException requireInjected(RuntimeException failure) {
        if (failure.getCause() instanceof CrashingDecider.InjectedBugException injected) {
            return injected;
        }
        throw failure;
    }

    private void loop() {
        if (process.cutOff()) {
            orchestrator.stepDown("cannot reach the log");
            return;
        }
        if (!process.continuesAfter("before a poll") || !refreshSites()) {
            return;
        }
        if (reader.hasOffsetMovedBack()) {
            orchestrator.stepDown("records that it has read no longer exist");
            return;
        }
        delayRandomPartition();
        boolean polledAll = poll();
        compareClocks();
        boolean more = termDecider.decideNext();
        DecisionBatch batch = transaction.batch();
        batch.setNothingDue(!more && polledAll && !termDecider.isCatchingUp());
        hasMoreInput |= !batch.isNothingDue();
        if (batch.decisions().isEmpty() && headRowWriter.unrecordedInputs() < MAX_UNRECORDED_INPUTS) {
            scheduleNextLoop();
        } else if (process.continuesAfter("after it decided")) {
            isCommitting = true;
            commitLater();
        }
    }

    /** Polls inputs, unless many wait already; a fault delivers some twice. Returns whether there are no more. */
    private boolean poll() {
        int most = context.loopConfig().maxRecords();
        if (termDecider.countPending() >= most) {
            return false;
        }
        List<SimLogReader.FetchedRecord> fetched =
                reader.poll(context.scheduler().now(), most);
        for (SimLogReader.FetchedRecord fetchedRecord : fetched) {
            termDecider.enqueueRecords(List.of(fetchedRecord));
            if (context.faults().isActive() && process.chance().perMille(5)) {
                termDecider.enqueueRecords(List.of(fetchedRecord));
            }
        }
        if (fetched.isEmpty()) {
            termDecider.endBacklog();
        }
        return fetched.size() < most;
    }

    /**
     * Compares the time that decisions carry, which an earlier leader may have moved ahead of every clock, with the
     * broker's clock.
     */
    private void compareClocks() {
        long now = context.scheduler().now();
        if (now - clocksComparedAt >= CLOCK_COMPARISON_INTERVAL) {
            clocksComparedAt = now;
            long difference = Math.abs(clock.now().toEpochMilli() - now);
            termDecider.recordClockComparison(difference <= HeartbeatMonitor.MAX_CLOCK_DIFFERENCE.toMillis());
        }
    }

    /** Suspends, reads and resumes sites. Returns false if the term has ended. */
    private boolean refreshSites() {
        for (SiteId site : context.sites()) {
            TermSiteStates.SiteStep step = sites.refreshSite(site);
            if (step == TermSiteStates.SiteStep.END_TERM) {
                orchestrator.stepDown("the topics of site " + site + " were adopted; it reads everything again");
                return false;
            }
            if (step == TermSiteStates.SiteStep.RESUME && !resumeSite(site)) {
                return false;
            }
        }
        return true;
    }

    /** Resumes a site; its withheld rows are written in a transaction of their own. */
    private boolean resumeSite(SiteId site) {
        CommitCheckContext.ReleasedSiteRows rows = sites.sendWithheldRows(site, producer);
        if (!process.continuesAfter("with a site's rows sent and not committed")) {
            return false;
        }
        if (!producer.commit(rows)) {
            orchestrator.stepDown("fenced");
            return false;
        }
        sites.resumeSite(site);
        return true;
    }

    /** Delays the records of a partition, sometimes. */
    private void delayRandomPartition() {
        if (context.faults().isActive() && process.chance().perMille(10)) {
            TablePartition tablePartition = process.chance().pick(reader.partitionKeys());
            reader.delayRecords(
                    tablePartition, context.scheduler().now() + process.chance().between(500, 20_000));
        }
    }

    private void commitLater() {
        process.later(process.chance().between(3, 25), () -> {
            if (!hasEnded) {
                commit();
            }
        });
    }

    private void commit() {
        DecisionBatch batch = transaction.batch();
        decisionEngine.refreshDerivedState(clock.now());
        headRowWriter.writeHeadRows(batch);
        for (Map.Entry<RowKey, RowChange> row : batch.rows().entrySet()) {
            if (!sites.withheldRows().withholdIfSuspended(row.getValue(), row.getValue())) {
                TablePartition tablePartition = OrchestratorPartitions.partitionOf(row.getKey());
                SiteId site = tablePartition.site();
                if (site != null && !context.log().sites().isUsable(site)) {
                    producer.abort();
                    orchestrator.stepDown("a transaction cannot be written to site " + site);
                    return;
                }
                producer.send(tablePartition, row.getValue());
            }
        }
        for (JournalRecord logged : batch.journal()) {
            producer.send(TablePartition.of(Table.JOURNAL), logged);
        }
        if (!process.continuesAfter("with a transaction sent and not committed")) {
            return;
        }
        boolean unclear = context.faults().unclearNow(process.chance());
        if (unclear && process.chance().percent(50)) {
            handleUnknownOutcome("which was not performed");
            return;
        }
        if (!producer.commit(new CommitCheckContext(
                batch, sites.readSites(), sites.withheldRows().all()))) {
            orchestrator.stepDown("fenced");
            return;
        }
        if (unclear) {
            handleUnknownOutcome("which was performed");
            return;
        }
        if (process.continuesAfter("after a commit, before it learns of it")) {
            continueAfterCommit();
        }
    }

    private void handleUnknownOutcome(String actualOutcome) {
        context.transcript().append(process.name(), () -> "does not learn the outcome of its commit, " + actualOutcome);
        if (context.safeguards().resetsAfterUnknownCommit()) {
            orchestrator.stepDown("a commit of unknown outcome");
        } else {
            producer.abort();
            continueAfterCommit();
        }
    }

    private void continueAfterCommit() {
        transaction = newTransaction();
        termDecider.startTransaction(transaction);
        isCommitting = false;
        scheduleNextLoop();
    }

    private void scheduleNextLoop() {
        boolean now = hasMoreInput || termDecider.isCatchingUp();
        hasMoreInput = false;
        schedule(now ? process.chance().between(1, 20) : context.loopConfig().tickMillis());
    }
}
