package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.rows.Wish;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.Kind;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteView;
import dev.flotilla.managementwatcher.view.View;
import dev.flotilla.managementwatcher.view.Wording;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.SiteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What has to be written about an object, from all that is known by now: its annotations first, then its condition, then what is
 * only to be told.
 */
final class Reports {
    private final SiteView view;
    private final StatusBoard status;
    private final SiteMode mode;
    private final Function<ObjectKey, @Nullable UpgradeIntent> intents;
    private final Function<ObjectKey, @Nullable String> unreadable;
    private final Predicate<Kind> hasConditions;
    private final JoinerReleases joiners;
    private final WaitingReport waiting;

    /**
     * For one site.
     *
     * @param intents the rows that people's wishes came to
     * @param unreadable why nobody can read an object's row; null where that is not so
     * @param hasConditions of which kinds one condition can be written without the others
     */
    Reports(
            SiteView view,
            StatusBoard status,
            SiteMode mode,
            Function<ObjectKey, @Nullable UpgradeIntent> intents,
            Function<ObjectKey, @Nullable String> unreadable,
            Predicate<Kind> hasConditions) {
        this.view = view;
        this.status = status;
        this.mode = mode;
        this.intents = intents;
        this.unreadable = unreadable;
        this.hasConditions = hasConditions;
        this.joiners = new JoinerReleases(mode);
        this.waiting = new WaitingReport(view, status, intents);
    }

    /** The next write about an object; null for none. */
    @Nullable
    Change of(ObjectKey key) {
        View there = view.get(key);
        if (there == null) {
            return key instanceof OwnerKey gone ? joiners.of(gone, null) : null;
        }
        if (there instanceof OwnerView owner && !owner.standing()) {
            return null;
        }
        Amendment amendment = amendment(there);
        if (amendment != null) {
            return amendment;
        }
        if (key instanceof MachineKey machine) {
            status.isShown(machine);
        }
        Wish wish = wish(there);
        Change condition = hasConditions.test(Kind.of(key)) ? condition(there, wish) : null;
        if (condition != null) {
            return condition;
        }
        Change joining = there instanceof OwnerView owner ? joiners.of(owner.key(), owner) : null;
        return joining == null ? notice(there, wish) : joining;
    }

    private @Nullable Amendment amendment(View there) {
        if (there instanceof MachineView machine) {
            return machine(machine);
        }
        return there instanceof OwnerView owner && isToTakeOver(owner) ? TakeOver.of(owner) : object(there);
    }

    /** A policy that came later keeps the provider from going on with an owner, but not from marking its machines. */
    private boolean isToTakeOver(OwnerView owner) {
        return mode == SiteMode.INTERCEPT
                && owner.notes().upgradeTo() != null
                && owner.key().kind() != OwnerKind.MACHINE_POOL;
    }

    /** What joiners are made with was written, or may not be. */
    void wrote(Change.Joining change) {
        joiners.wrote(change);
    }

    private @Nullable Wish wish(View there) {
        Wish wish = Wish.of(there, there instanceof MachineView machine ? view.ownerOf(machine) : null, mode);
        List<String> paths = status.localPaths();
        return wish == null || paths == null ? wish : wish.judged(paths);
    }

    /** A machine at which others are is left to them. */
    private @Nullable Amendment machine(MachineView machine) {
        boolean theirs = machine.notes().isChangeForeign()
                || (mode != SiteMode.DIRECT && machine.notes().upgradeTo() != null);
        if (theirs) {
            return null;
        }
        Amendment amendment =
                MachineReport.of(machine, status.machine(machine.key()), wish(machine), intents.apply(machine.key()));
        return amendment != null
                        && amendment.happened() != null
                        && amendment.happened().shared()
                        && view.ownerOf(machine) != null
                ? amendment.quietly()
                : amendment;
    }

    /** The owner that has to be written to before a machine's amendment is: see {@link OwnerRelease}. Null for none. */
    @Nullable
    OwnerView before(Amendment amendment) {
        OwnerView owner = amendment.object() instanceof MachineKey key ? ownerOf(key) : null;
        String release = owner == null ? null : owner.notes().release();
        return release == null
                        || !amendment.annotations().containsKey(Wording.RELEASE)
                        || release.equals(amendment.annotations().get(Wording.RELEASE))
                ? null
                : owner;
    }

    /** What owns a machine; null where nothing does. */
    @Nullable
    OwnerView ownerOf(MachineKey key) {
        MachineView machine = view.machine(key);
        return machine == null ? null : view.ownerOf(machine);
    }

    private @Nullable Amendment object(View there) {
        IntentStatus told = status.object(there.key());
        UpgradeIntent intent = intents.apply(there.key());
        boolean theirs = !(there instanceof ClusterView)
                && (mode == SiteMode.CLUSTER_ONLY
                        || (mode == SiteMode.INTERCEPT && there.notes().upgradeTo() != null));
        ObjectReport.Owned owned = there instanceof OwnerView owner
                ? owned(owner, ObjectReport.isAbout(told, there, intent) ? told : null)
                : null;
        return ObjectReport.of(there, told, wish(there), intent, owned, theirs);
    }

    private ObjectReport.Owned owned(OwnerView owner, @Nullable IntentStatus about) {
        List<OwnerRelease.Member> members = new ArrayList<>();
        String target = about == null ? null : about.target().text();
        String failed = null;
        boolean behind = false;
        for (MachineView machine : view.machinesOf(owner.key())) {
            OwnerRelease.Member member = member(machine);
            members.add(member);
            behind |= target != null && target.equals(member.toBear()) && !target.equals(member.bears());
            failed = failed == null && isFailed(machine) ? machine.key().name() : failed;
        }
        boolean begun = about != null && about.state() == IntentStatus.IntentState.IN_PROGRESS;
        Set<String> targets = begun && target != null ? Set.of(target) : Set.of();
        OwnerRelease release = OwnerRelease.of(owner.notes(), members, targets, mode);
        return new ObjectReport.Owned(release, behind, failed);
    }

    private OwnerRelease.Member member(MachineView machine) {
        String bears = machine.notes().release();
        Told told = status.machine(machine.key());
        if (told == null) {
            return new OwnerRelease.Member(bears, bears, null);
        }
        Amendment amendment = machine(machine);
        String toBear = amendment != null && amendment.annotations().containsKey(Wording.RELEASE)
                ? amendment.annotations().get(Wording.RELEASE)
                : bears;
        UpgradeAttempt attempt = told.row().uid().equals(machine.uid()) ? told.row().attempt() : null;
        return new OwnerRelease.Member(
                bears, toBear, attempt == null ? null : attempt.target().text());
    }

    private boolean isFailed(MachineView machine) {
        Told told = status.machine(machine.key());
        return told != null && told.row().entries().stream().anyMatch(entry -> entry.outcome() == MachineOutcome.QUARANTINED);
    }

    private @Nullable Change condition(View there, @Nullable Wish wish) {
        Happened unknown = unknown(there);
        if (unknown != null) {
            return ConditionReport.unknown(there, unknown);
        }
        Happened waits = waiting.of(there, wish);
        if (waits != null) {
            return ConditionReport.waiting(there, waits);
        }
        return ConditionReport.of(there, wish != null, wish == null ? "" : wish.value(), why(there, wish));
    }

    private @Nullable String why(View there, @Nullable Wish wish) {
        String problem = wish == null ? null : wish.problem();
        if (problem != null) {
            return "the option " + problem;
        }
        if (there instanceof MachineView machine) {
            Told told = status.machine(machine.key());
            AttemptFailure failure = told == null ? null : told.row().lastFailure();
            return failure == null ? null : failure.reason().label() + ": " + failure.text();
        }
        IntentStatus told = status.object(there.key());
        return told == null ? null : ObjectReport.failures(told);
    }

    /** What there is to tell of a machine whose outcome nobody knows; null where that is not so. */
    private @Nullable Happened unknown(View there) {
        Told told = there instanceof MachineView machine ? status.machine(machine.key()) : null;
        UpgradeAttempt open = told == null || !told.row().uid().equals(there.uid())
                ? null
                : told.row().attempt();
        return open != null && open.state() instanceof AttemptState.Unknown since
                ? Happened.unknown(open.target().text(), since.since(), since.lastObservation())
                : null;
    }

    /** Nobody removes a change-id that was left behind: where a controller is at a machine, its wish is there too. */
    private boolean isLeftBehind(MachineView machine) {
        return machine.notes().isChangeForeign()
                && (mode == SiteMode.DIRECT || machine.notes().upgradeTo() == null);
    }

    private Change.@Nullable Notice notice(View there, @Nullable Wish wish) {
        String problem = unreadable.apply(there.key());
        if (problem != null) {
            return new Change.Notice(there.key(), there.uid(), Happened.unreadable(problem));
        }
        Happened unknown = unknown(there);
        if (unknown != null) {
            return new Change.Notice(there.key(), there.uid(), unknown);
        }
        Happened waits = waiting.of(there, wish);
        if (waits != null) {
            return new Change.Notice(there.key(), there.uid(), waits);
        }
        String changeId = there.notes().changeId();
        if (changeId != null && there instanceof MachineView machine && isLeftBehind(machine)) {
            return new Change.Notice(there.key(), there.uid(), Happened.foreign(machine.key(), changeId));
        }
        String who = there.notes().putBackBy();
        if (wish != null && wish.isOnObject() && who != null) {
            return new Change.Notice(there.key(), there.uid(), Happened.putBack(wish.value(), who));
        }
        OwnerView owner = there instanceof MachineView machine ? view.ownerOf(machine) : null;
        String standing = owner == null ? null : owner.notes().standing();
        return standing != null
                        && there instanceof MachineView machine
                        && machine.node() == null
                        && !standing.equals(machine.notes().release())
                ? new Change.Notice(there.key(), there.uid(), Happened.joins(standing))
                : null;
    }
}
