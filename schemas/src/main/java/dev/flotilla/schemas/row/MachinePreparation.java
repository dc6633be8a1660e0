package dev.flotilla.schemas.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The preparation of a machine for one target: what its upgrade needs is fetched ahead of it.
 *
 * @param id the seq of the decision that began it; the id of its command
 * @param rolloutRef the campaign that asked for it
 * @param target what is fetched
 * @param template the template of its NodeUpgrade: another one may need something else
 * @param failures how many preparations for this target have failed
 */
public record MachinePreparation(
        long id,
        RolloutRef rolloutRef,
        UpgradeTarget target,
        NodeUpgradeTemplateRef template,
        int failures,
        PreparationProgress progress) {

    /** How far a preparation is. */
    public sealed interface PreparationProgress {
        /**
         * Its command is out.
         *
         * @param deadline no step starts after it
         */
        record Preparing(Instant deadline) implements PreparationProgress {}

        /** What the upgrade needs is on the node. */
        record Prepared(Instant at) implements PreparationProgress {}

        /**
         * It has failed. The upgrade fetches what it needs itself.
         *
         * @param reason why it failed
         * @param retryAt when it is tried again; null for never
         */
        record PreparationFailed(String reason, @Nullable Instant retryAt) implements PreparationProgress {
            public PreparationFailed {
                reason = reason.length() <= AttemptFailure.MAX_TEXT
                        ? reason
                        : reason.substring(0, AttemptFailure.MAX_TEXT);
            }
        }
    }

    /** Whether its command is out. */
    public boolean isRunning() {
        return progress instanceof PreparationProgress.Preparing;
    }

    /** Whether it is for what an upgrade to a target by a template needs. */
    public boolean isFor(UpgradeTarget upgradeTarget, @Nullable NodeUpgradeTemplateRef upgradeTemplate) {
        return target.equals(upgradeTarget) && template.equals(upgradeTemplate);
    }

    /** Whether what an upgrade to a target by a template needs is on the node. */
    public boolean hasPrepared(UpgradeTarget upgradeTarget, @Nullable NodeUpgradeTemplateRef upgradeTemplate) {
        return progress instanceof PreparationProgress.Prepared && isFor(upgradeTarget, upgradeTemplate);
    }

    /** Returns a copy that has come further. */
    public MachinePreparation with(PreparationProgress next) {
        return new MachinePreparation(id, rolloutRef, target, template, failures, next);
    }

    /** Returns a copy that has failed once more. */
    public MachinePreparation withFailure(String reason, @Nullable Instant retryAt) {
        return new MachinePreparation(
                id,
                rolloutRef,
                target,
                template,
                failures + 1,
                new PreparationProgress.PreparationFailed(reason, retryAt));
    }
}
