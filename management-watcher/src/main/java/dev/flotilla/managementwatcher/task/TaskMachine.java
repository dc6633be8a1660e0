package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/**
 * A machine of a cluster with UpgradeTasks, with all that is known about it.
 *
 * @param row its inventory row, with the provider that the policies say
 * @param intent its published intent; null for none
 * @param status its status row, if that is about this Machine and no earlier one of its name; null for none
 * @param annotation upgrade annotation of its own, which goes before a task; null for none
 * @param settled whether the orchestrator has had the time to report what it did for an intent of a task that is gone
 * @param hold nearest object that is paused or on hold, as gate and text; null for none
 */
public record TaskMachine(
        MachineView view,
        MachineRow row,
        @Nullable UpgradeIntent intent,
        @Nullable MachineStatus status,
        @Nullable String annotation,
        boolean settled,
        @Nullable String hold) {

    String name() {
        return view.key().name();
    }

    /** Whether its published intent is that of a task. */
    boolean hasIntentOf(String taskUid) {
        return intent != null && intent.task() != null && intent.task().uid().equals(taskUid);
    }

    /** Returns the rollout of its published intent; null for none. */
    @Nullable
    RolloutRef rolloutRef() {
        return intent == null ? null : new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
    }

    /** Returns its open attempt for its published intent, or the one of a campaign that makes it for the intent too; null for none. */
    @Nullable
    UpgradeAttempt openAttempt() {
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        return attempt != null && isForIntent(attempt) ? attempt : null;
    }

    private boolean isForIntent(UpgradeAttempt attempt) {
        boolean isToItsTarget =
                isForTask(attempt) && intent != null && attempt.target().equals(intent.target());
        return attempt.rolloutRef().equals(rolloutRef()) || isToItsTarget;
    }

    /** Whether a campaign makes an attempt for an UpgradeTask too: only tasks name a hash. */
    private static boolean isForTask(UpgradeAttempt attempt) {
        return attempt.rolloutRef() instanceof RolloutRef.CampaignRef
                && attempt.target() instanceof UpgradeTarget.MachineSpecHash;
    }

    /** Returns its entry for its published intent; null for none. */
    @Nullable
    RolloutEntry entry() {
        RolloutRef rolloutRef = rolloutRef();
        return status == null || rolloutRef == null
                ? null
                : status.entries().stream()
                        .filter(entry -> entry.rolloutRef().equals(rolloutRef))
                        .findFirst()
                        .orElse(null);
    }

    /** Returns the campaign whose last attempt has failed for good and was the machine's latest; null for none. */
    RolloutRef.@Nullable CampaignRef failedCampaign() {
        RolloutEntry latest = status == null ? null : status.latestEntry();
        return latest != null
                        && latest.outcome() == MachineOutcome.QUARANTINED
                        && latest.rolloutRef() instanceof RolloutRef.CampaignRef campaign
                ? campaign
                : null;
    }

    /** Returns its open attempt for an intent of its own that is not published any more; null for none. */
    @Nullable
    UpgradeAttempt withdrawnAttempt() {
        UpgradeAttempt attempt = status == null ? null : status.attempt();
        return attempt != null && (isWithdrawn(attempt.rolloutRef()) || isForTask(attempt)) && !isForIntent(attempt)
                ? attempt
                : null;
    }

    /** Returns its latest entry for an intent of its own that is not published any more; null for none. */
    @Nullable
    RolloutEntry withdrawnEntry() {
        return status == null
                ? null
                : status.entries().reversed().stream()
                        .filter(entry -> isWithdrawn(entry.rolloutRef()))
                        .findFirst()
                        .orElse(null);
    }

    private boolean isWithdrawn(RolloutRef rolloutRef) {
        return rolloutRef instanceof RolloutRef.IntentRef ref
                && ref.object().equals(view.key())
                && !rolloutRef.equals(rolloutRef());
    }
}
