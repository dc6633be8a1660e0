package dev.flotilla.core;

import dev.flotilla.core.attempt.AttemptAdmissionDecider;
import dev.flotilla.core.attempt.AttemptReportDecider;
import dev.flotilla.core.attempt.AttemptTimerDecider;
import dev.flotilla.core.attempt.LeaseRevocationDecider;
import dev.flotilla.core.campaign.CampaignProgressDecider;
import dev.flotilla.core.campaign.RetryAndIntentStatusDecider;
import dev.flotilla.core.clusterupgrade.ClusterUpgradeDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.intake.InputRowIntake;
import dev.flotilla.core.intake.SubjectParkingDecider;
import dev.flotilla.core.intake.UnreadableRecordLimiter;
import dev.flotilla.core.preparation.PreparationEndDecider;
import dev.flotilla.core.preparation.PreparationStartDecider;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides from the rows and a list of gates. */
public final class FleetDecider implements Decider {
    private final GateChain gates;

    public FleetDecider(GateChain gates) {
        this.gates = gates;
    }

    public static FleetDecider standard() {
        return new FleetDecider(GateChain.standard());
    }

    public GateChain gates() {
        return gates;
    }

    @Override
    public Decision decide(FleetState state, DecisionInput input) {
        return switch (input) {
            case DecisionInput.RecordReceived recordReceived -> acceptRecord(state, recordReceived);
            case DecisionInput.RecordUnreadable recordUnreadable ->
                reject(new DecisionBuilder(state, recordUnreadable.at()), recordUnreadable.rejected());
            case DecisionInput.SubjectParked subjectParked ->
                SubjectParkingDecider.park(
                        new DecisionBuilder(state, subjectParked.at()),
                        subjectParked.subject(),
                        subjectParked.problem());
            case DecisionInput.HeartbeatResumed resumed ->
                recordHeartbeat(new DecisionBuilder(state, resumed.at()), resumed.site(), true);
            case DecisionInput.HeartbeatLost silent ->
                recordHeartbeat(new DecisionBuilder(state, silent.at()), silent.site(), false);
            case DecisionInput.SiteReachable back -> reachable(new DecisionBuilder(state, back.at()), back.site());
            case DecisionInput.SiteUnreachable away -> unreachable(new DecisionBuilder(state, away.at()), away);
            case DecisionInput.ClockCompared clock ->
                clock.agrees() == state.head().clockInSync()
                        ? Decision.NOTHING
                        : new DecisionBuilder(state, clock.at())
                                .setClockInSync(clock.agrees())
                                .build(
                                        DecisionEvent.CLOCK_SYNC_CHANGED,
                                        FleetScope.FLEET,
                                        clock.agrees() ? "agrees" : "differs");
            case DecisionInput.TimeZoneRead read ->
                read.rules().equals(state.timeZoneRules(read.rules().timeZone()))
                        ? Decision.NOTHING
                        : new DecisionBuilder(state, read.at())
                                .write(read.rules())
                                .build(
                                        DecisionEvent.TIME_ZONE_UPDATED,
                                        read.rules().timeZone(),
                                        "");
            case DecisionInput.LeaderElected leaderElected ->
                new DecisionBuilder(state, leaderElected.at())
                        .startTerm()
                        .build(DecisionEvent.LEADER_ELECTED, FleetScope.FLEET, "");
            case DecisionInput.ChapterDue begin ->
                startChapter(new DecisionBuilder(state, begin.at()), begin.excludedSites());
            case DecisionInput.CheckpointPartRead part ->
                new DecisionBuilder(state, part.at())
                        .build(DecisionEvent.CHECKPOINT_PART_WRITTEN, FleetScope.FLEET, "");
            case DecisionInput.CheckpointCompleted done ->
                completeChapter(new DecisionBuilder(state, done.at()), done.checkpointRows());
            case DecisionInput.TimePassed due -> decideDueWork(state, due.at());
        };
    }

    private Decision acceptRecord(FleetState state, DecisionInput.RecordReceived recordReceived) {
        if (recordReceived.change() instanceof AttemptProgress progress) {
            DecisionBuilder draft = new DecisionBuilder(state, recordReceived.at());
            Decision ofPreparation = PreparationEndDecider.decideReport(draft, progress);
            return ofPreparation.isNothing() ? AttemptReportDecider.decide(draft, progress) : ofPreparation;
        }
        if (recordReceived.change() instanceof OperatorOrder) {
            // An order may depend on derived counts, and a new leader reads waiting records before it updates them.
            state.refreshDerivedState(gates, recordReceived.at());
        }
        return InputRowIntake.accept(new DecisionBuilder(state, recordReceived.at()), recordReceived);
    }

    @Override
    public void refreshDerivedState(FleetState state, Instant now) {
        state.refreshDerivedState(gates, now);
    }

    /** Decides the first due work, in a fixed order. */
    private Decision decideDueWork(FleetState state, Instant instant) {
        DecisionBuilder draft = new DecisionBuilder(state, instant);
        Decision decision = AttemptTimerDecider.decideNext(draft, gates);
        if (decision.isNothing()) {
            decision = LeaseRevocationDecider.decideNext(draft, gates);
        }
        if (decision.isNothing()) {
            decision = PreparationEndDecider.decideNextSilent(draft);
        }
        if (decision.isNothing()) {
            state.refreshDerivedState(gates, draft.at());
            decision = RetryAndIntentStatusDecider.decideNext(draft);
        }
        if (decision.isNothing()) {
            decision = CampaignProgressDecider.decideNext(draft);
        }
        if (decision.isNothing()) {
            decision = ClusterUpgradeDecider.decideNext(draft, gates);
        }
        if (decision.isNothing()) {
            decision = AttemptAdmissionDecider.decideNext(draft, gates);
        }
        return decision.isNothing() ? PreparationStartDecider.decideNext(draft, gates) : decision;
    }

    private static Decision reject(DecisionBuilder draft, RejectedRecord rejectedRecord) {
        RejectedRecord row = UnreadableRecordLimiter.limit(
                draft.state(),
                rejectedRecord.withLastAccepted(draft.state().rejections().lastAccepted(rejectedRecord.key())));
        return row == null || row.equals(draft.state().rejected(row.key()))
                ? Decision.NOTHING
                : draft.write(row).build(DecisionEvent.REJECTED, row.key(), row.problem());
    }

    private static Decision startChapter(DecisionBuilder draft, List<SiteId> excludedSites) {
        String sites = excludedSites.isEmpty() ? "" : "without what cannot be read: " + excludedSites;
        return draft.setChapter(
                        JournalChapter.after(draft.state().head().chapter(), draft.seq(), draft.at(), excludedSites))
                .build(DecisionEvent.CHAPTER_STARTED, FleetScope.FLEET, sites);
    }

    private static Decision completeChapter(DecisionBuilder draft, long rows) {
        JournalChapter chapter = draft.state().head().chapter();
        return chapter == null || chapter.isComplete()
                ? Decision.NOTHING
                : draft.setChapter(chapter.withCheckpointRows(rows))
                        .build(
                                DecisionEvent.CHAPTER_COMPLETED,
                                FleetScope.FLEET,
                                rows + " rows in the checkpoint of decision " + chapter.seq());
    }

    private static Decision recordHeartbeat(DecisionBuilder draft, SiteId site, boolean connected) {
        SiteHead head = siteHead(draft.state(), site);
        if ((head.silentSince() == null) == connected && isKnown(draft.state(), site)) {
            return Decision.NOTHING;
        }
        return draft.write(head.withSilentSince(connected ? null : draft.at()))
                .build(DecisionEvent.SITE_CHANGED, site, connected ? "connected" : "silent");
    }

    /** Lost tables stay lost until they are adopted. */
    private static Decision reachable(DecisionBuilder draft, SiteId site) {
        SiteHead head = siteHead(draft.state(), site);
        return head.unreachableSince() == null || !head.lostTables().isEmpty()
                ? Decision.NOTHING
                : draft.write(head.withReachable()).build(DecisionEvent.SITE_CHANGED, site, "reachable");
    }

    private static Decision unreachable(DecisionBuilder draft, DecisionInput.SiteUnreachable away) {
        SiteHead head = siteHead(draft.state(), away.site());
        if (head.unreachableSince() != null && head.lostTables().containsAll(away.lostTables())) {
            return Decision.NOTHING;
        }
        Instant since = head.unreachableSince() == null ? draft.at() : head.unreachableSince();
        SortedSet<Table> lost = new TreeSet<>(head.lostTables());
        lost.addAll(away.lostTables());
        return draft.write(head.withUnreachable(since, away.reason(), List.copyOf(lost)))
                .build(
                        DecisionEvent.SITE_CHANGED,
                        away.site(),
                        away.reason() == null ? "unreachable" : "unreachable: " + away.reason());
    }

    private static boolean isKnown(FleetState state, SiteId id) {
        SiteState site = state.site(id);
        return site != null && site.head() != null;
    }

    private static SiteHead siteHead(FleetState state, SiteId id) {
        SiteState site = state.site(id);
        @Nullable SiteHead known = site == null ? null : site.head();
        return known != null ? known : SiteHead.of(id);
    }
}
