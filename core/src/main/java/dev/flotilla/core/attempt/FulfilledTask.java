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
                        && hasReached(status, intent.target())
                ? fulfil(state, status, intent, MachineOutcome.UNCHANGED, null)
                : null;
    }

    private static boolean isOf(UpgradeIntent intent, MachineStatus status) {
        return intent.task() != null
                && intent.target() instanceof UpgradeTarget.MachineSpecHash
                && intent.uid().equals(status.uid());
    }

    /** Whether an open attempt changes nothing: that of a campaign to the version that the machine has. */
    private static boolean changesNothing(@Nullable UpgradeAttempt open, UpgradeIntent intent) {
        return open == null
                || (open.rolloutRef() instanceof RolloutRef.CampaignRef
                        && open.target() instanceof UpgradeTarget.KubernetesRelease release
                        && release.version().equals(intent.expectedVersion()));
    }

    /** Whether nothing has changed the machine since it was upgraded to a hash: a campaign only to the version that it has. */
    private static boolean hasReached(MachineStatus status, UpgradeTarget hash) {
        RolloutEntry latest = status.latestEntry();
        if (latest == null || latest.hasFailed()) {
            return false;
        }
        boolean isOfCampaign = latest.rolloutRef() instanceof RolloutRef.CampaignRef;
        return status.entries().stream()
                .anyMatch(entry -> entry.outcome().isAtTarget()
                        && hash.equals(entry.target())
                        && (isOfCampaign || entry.equals(latest)));
    }

    /** Returns a status with the success of an intent that has made no attempt. */
    static MachineStatus fulfil(
            FleetState state, MachineStatus before, UpgradeIntent intent, MachineOutcome how, @Nullable Instant soak) {
        RolloutEntry entry = MachineStatusWriter.entryOf(before, SiteIntentsRollout.rolloutRefFor(intent));
        return MachineStatusWriter.withOtherEntry(
                state, before, entry.withTarget(intent.target()).withSuccess(how, soak));
    }
}
