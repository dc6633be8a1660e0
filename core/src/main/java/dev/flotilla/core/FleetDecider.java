package dev.flotilla.core;

import dev.flotilla.core.attempt.Admission;
import dev.flotilla.core.attempt.AttemptTimers;
import dev.flotilla.core.attempt.LicenceReview;
import dev.flotilla.core.attempt.Reports;
import dev.flotilla.core.campaign.CampaignProgress;
import dev.flotilla.core.campaign.Chores;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.core.intake.Garbage;
import dev.flotilla.core.intake.Intake;
import dev.flotilla.core.intake.Parking;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides by the rows and a list of gates. */
public final class FleetDecider implements Decider {
    private final Gates gates;

    public FleetDecider(Gates gates) {
        this.gates = gates;
    }

    public static FleetDecider standard() {
        return new FleetDecider(Gates.standard());
    }

    public Gates gates() {
        return gates;
    }

    @Override
    public Decision decide(FleetState state, Input input) {
        return switch (input) {
            case Input.Arrived arrived -> arrived(state, arrived);
            case Input.Unreadable unreadable -> reject(new Draft(state, unreadable.at()), unreadable.rejected());
            case Input.Parked parked -> Parking.park(new Draft(state, parked.at()), parked.subject(), parked.problem());
            case Input.SiteHeard heard -> heard(new Draft(state, heard.at()), heard.site(), true);
            case Input.SiteSilent silent -> heard(new Draft(state, silent.at()), silent.site(), false);
            case Input.SiteReachable back -> reachable(new Draft(state, back.at()), back.site());
            case Input.SiteUnreachable away -> unreachable(new Draft(state, away.at()), away);
            case Input.ClockCompared clock ->
                clock.agrees() == state.head().clockInSync()
                        ? Decision.NOTHING
                        : new Draft(state, clock.at())
                                .clock(clock.agrees())
                                .decide(Event.CLOCK_CHANGED, FleetScope.FLEET, clock.agrees() ? "agrees" : "differs");
            case Input.ZoneRead read ->
                read.rules().equals(state.zone(read.rules().timeZone()))
                        ? Decision.NOTHING
                        : new Draft(state, read.at())
                                .write(read.rules())
                                .decide(Event.ZONE_READ, read.rules().timeZone(), "");
            case Input.TookOver tookOver ->
                new Draft(state, tookOver.at()).nextTerm().decide(Event.TOOK_OVER, FleetScope.FLEET, "");
            case Input.ChapterDue begin -> begin(new Draft(state, begin.at()), begin.without());
            case Input.CheckpointPart part -> new Draft(state, part.at()).decide(Event.CHECKPOINTED, FleetScope.FLEET, "");
            case Input.CheckpointDone done -> complete(new Draft(state, done.at()), done.rows());
            case Input.Due due -> due(state, due.at());
        };
    }

    private Decision arrived(FleetState state, Input.Arrived arrived) {
        if (arrived.fact() instanceof AttemptProgress progress) {
            return Reports.take(new Draft(state, arrived.at()), progress);
        }
        if (arrived.fact() instanceof OperatorOrder) {
            // It may be judged by counts, and whoever takes over settles none before what had waited is taken.
            state.settle(gates, arrived.at());
        }
        return Intake.take(new Draft(state, arrived.at()), arrived);
    }

    @Override
    public void settle(FleetState state, Instant now) {
        state.settle(gates, now);
    }

    /** What is due by itself: the first thing found, in a fixed order. */
    private Decision due(FleetState state, Instant instant) {
        Draft draft = new Draft(state, instant);
        Decision found = AttemptTimers.next(draft, gates);
        if (found.isNothing()) {
            found = LicenceReview.next(draft, gates);
        }
        if (found.isNothing()) {
            state.settle(gates, draft.at());
            found = Chores.next(draft);
        }
        if (found.isNothing()) {
            found = CampaignProgress.next(draft);
        }
        return found.isNothing() ? Admission.next(draft, gates) : found;
    }

    private static Decision reject(Draft draft, RejectedRecord rejectedRecord) {
        RejectedRecord row = Garbage.told(
                draft.state(), rejectedRecord.withLastAccepted(draft.state().rejections().accepted(rejectedRecord.key())));
        return row == null || row.equals(draft.state().rejected(row.key()))
                ? Decision.NOTHING
                : draft.write(row).decide(Event.REJECTED, row.key(), row.problem());
    }

    private static Decision begin(Draft draft, List<SiteId> without) {
        String sites = without.isEmpty() ? "" : "without what cannot be read: " + without;
        return draft.chapter(JournalChapter.after(draft.state().head().chapter(), draft.seq(), draft.at(), without))
                .decide(Event.CHAPTER_BEGUN, FleetScope.FLEET, sites);
    }

    private static Decision complete(Draft draft, long rows) {
        JournalChapter chapter = draft.state().head().chapter();
        return chapter == null || chapter.isComplete()
                ? Decision.NOTHING
                : draft.chapter(chapter.withCheckpointRows(rows))
                        .decide(Event.CHAPTER_COMPLETED, FleetScope.FLEET, rows + " rows as of " + chapter.seq());
    }

    private static Decision heard(Draft draft, SiteId site, boolean heard) {
        SiteHead head = head(draft.state(), site);
        if ((head.silentSince() == null) == heard && isKnown(draft.state(), site)) {
            return Decision.NOTHING;
        }
        return draft.write(head.withSilentSince(heard ? null : draft.at()))
                .decide(Event.SITE_CHANGED, site, heard ? "heard" : "silent");
    }

    /** What was lost stays lost until it is adopted. */
    private static Decision reachable(Draft draft, SiteId site) {
        SiteHead head = head(draft.state(), site);
        return head.unreachableSince() == null || !head.lostTables().isEmpty()
                ? Decision.NOTHING
                : draft.write(head.withReachable()).decide(Event.SITE_CHANGED, site, "reachable");
    }

    private static Decision unreachable(Draft draft, Input.SiteUnreachable away) {
        SiteHead head = head(draft.state(), away.site());
        if (head.unreachableSince() != null && head.lostTables().containsAll(away.lost())) {
            return Decision.NOTHING;
        }
        Instant since = head.unreachableSince() == null ? draft.at() : head.unreachableSince();
        SortedSet<Table> lost = new TreeSet<>(head.lostTables());
        lost.addAll(away.lost());
        return draft.write(head.withUnreachable(since, away.reason(), List.copyOf(lost)))
                .decide(
                        Event.SITE_CHANGED,
                        away.site(),
                        away.reason() == null ? "unreachable" : "unreachable: " + away.reason());
    }

    private static boolean isKnown(FleetState state, SiteId id) {
        Site site = state.site(id);
        return site != null && site.head() != null;
    }

    private static SiteHead head(FleetState state, SiteId id) {
        Site site = state.site(id);
        @Nullable SiteHead known = site == null ? null : site.head();
        return known != null ? known : SiteHead.of(id);
    }
}
