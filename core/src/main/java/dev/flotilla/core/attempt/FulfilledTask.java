package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An UpgradeTask whose machine another rollout has upgraded to the hash that the task names, such as a task before it that somebody has
 * deleted: it needs no attempt. A node does not show a hash, so its worker would upgrade it again.
 */
public final class FulfilledTask {
    private FulfilledTask() {}

    /** The task's intent that an attempt of another rollout fulfils when it succeeds; null for none. */
    static @Nullable UpgradeIntent byAttempt(FleetState state, MachineStatus status, UpgradeAttempt attempt) {
        UpgradeIntent intent = state.intent(status.key());
        return intent != null
                        && isOf(intent, status)
                        && intent.target().equals(attempt.target())
                        && !SiteIntentsRollout.rolloutRefFor(intent).equals(attempt.rolloutRef())
                ? intent
                : null;
    }

    /** The status of a machine that is what a new intent asks for, with the intent's entry; null if the machine is not. */
    public static @Nullable MachineStatus byLastAttempt(FleetState state, UpgradeIntent intent, MachineView machine) {
        MachineStatus status = machine.status();
        return status != null
                        && isOf(intent, status)
                        && changesNothing(status.attempt(), intent)
                        && machine.isUid(intent.uid())
                        && (intent.expectedVersion() == null
                                || intent.expectedVersion().equals(machine.kubeletVersion()))
                        && hasReached(status, intent)
                ? fulfil(state, status, intent, MachineOutcome.UNCHANGED, null)
                : null;
    }

    private static boolean isOf(UpgradeIntent intent, MachineStatus status) {
        return intent.task() != null
                && intent.target() instanceof UpgradeTarget.MachineSpecHash
                && intent.uid().equals(status.uid());
    }

    private static boolean changesNothing(@Nullable UpgradeAttempt open, UpgradeIntent intent) {
        return open == null || changesNothing(open.rolloutRef(), open.target(), intent);
    }

    /** Whether an attempt changes nothing: that of a campaign to the version that the machine has. */
    private static boolean changesNothing(RolloutRef rolloutRef, @Nullable UpgradeTarget target, UpgradeIntent intent) {
        return rolloutRef instanceof RolloutRef.CampaignRef
                && target instanceof UpgradeTarget.KubernetesRelease release
                && release.version().equals(intent.expectedVersion());
    }

    /** Whether nothing has changed the machine since it was upgraded to the hash, also nothing that was aborted half-way. */
    private static boolean hasReached(MachineStatus status, UpgradeIntent intent) {
        RolloutEntry latest = status.latestEntry();
        if (latest == null || latest.hasFailed()) {
            return false;
        }
        boolean isUnchanged = changesNothing(latest.rolloutRef(), latest.target(), intent);
        return status.entries().stream()
                .anyMatch(entry -> isAtHash(entry, intent) && (isUnchanged || entry.equals(latest)));
    }

    private static boolean isAtHash(RolloutEntry entry, UpgradeIntent intent) {
        return entry.outcome().isAtTarget() && intent.target().equals(entry.target());
    }

    /** Returns a status with the success of an intent that has made no attempt; null if it has no room for another entry. */
    static @Nullable MachineStatus fulfil(
            FleetState state, MachineStatus before, UpgradeIntent intent, MachineOutcome how, @Nullable Instant soak) {
        RolloutRef rolloutRef = SiteIntentsRollout.rolloutRefFor(intent);
        RolloutEntry entry = MachineStatusWriter.entryOf(before, rolloutRef).withTarget(intent.target());
        RolloutEntry earlier = before.entries().stream()
                .filter(known -> isAtHash(known, intent) && isOfEarlierTask(known.rolloutRef(), intent))
                .findFirst()
                .orElse(null);
        MachineStatus after = earlier == null
                ? MachineStatusWriter.withOtherEntry(state, before, entry.withSuccess(how, soak))
                : MachineStatusWriter.withEntryInPlaceOf(
                        before, earlier, entry.withSuccess(how, soak == null ? earlier.soakUntil() : soak));
        return after.entries().size() > RolloutEntry.MAX_PER_MACHINE ? null : after;
    }

    private static boolean isOfEarlierTask(RolloutRef rolloutRef, UpgradeIntent intent) {
        return rolloutRef instanceof RolloutRef.IntentRef earlier
                && earlier.object().equals(intent.object())
                && !earlier.requestedAt().equals(intent.requestedAt());
    }
}
