package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A command to a site's worker about one machine. */
public sealed interface WorkerCommand extends TableRow {
    MachineKey key();

    String uid();

    long attemptId();

    /** What upgrades the machine; the same for all commands of an attempt. */
    UpgradeProvider provider();

    /** The template of the machine's NodeUpgrade; only for {@link UpgradeProvider#NODE_UPGRADE}. */
    @Nullable
    NodeUpgradeTemplateRef template();

    @Override
    default RowKey rowKey() {
        return new RowKey(Table.COMMANDS, key());
    }

    /**
     * Upgrade the machine. A later {@code leaseExpiresAt} for the same attempt renews the command lease.
     *
     * @param leaseExpiresAt when the command lease expires: the call must not begin later
     * @param resolvedRevision the revision that the channel resolved to on this architecture, if it is known
     * @param checks what must hold before and after the call
     * @param machineClass the class of the machine for durations, the value of a label; null for all machines of its role
     * @param drainMode whether its node is drained before the call; null for the setting of the site's worker
     * @param mode who acts on the provider's annotations in the site; null if its watcher does not send it
     * @param allowDowngrade whether the call may be made on a node with a newer version than the target's
     * @param prepared whether a preparation has fetched what the upgrade needs
     */
    record UpgradeMachine(
            MachineKey key,
            String uid,
            long attemptId,
            MachineRole role,
            UpgradeTarget target,
            @Nullable String expectedVersion,
            @Nullable String resolvedRevision,
            int maxUnavailable,
            Instant leaseExpiresAt,
            CampaignChecks checks,
            @Nullable String machineClass,
            @Nullable DrainMode drainMode,
            @Nullable SiteMode mode,
            boolean allowDowngrade,
            UpgradeProvider provider,
            @Nullable NodeUpgradeTemplateRef template,
            boolean prepared)
            implements WorkerCommand {

        /** A command for a machine that k8sd upgrades. */
        public UpgradeMachine(
                MachineKey key,
                String uid,
                long attemptId,
                MachineRole role,
                UpgradeTarget target,
                @Nullable String expectedVersion,
                @Nullable String resolvedRevision,
                int maxUnavailable,
                Instant leaseExpiresAt,
                CampaignChecks checks,
                @Nullable String machineClass,
                @Nullable DrainMode drainMode,
                @Nullable SiteMode mode,
                boolean allowDowngrade) {
            this(
                    key,
                    uid,
                    attemptId,
                    role,
                    target,
                    expectedVersion,
                    resolvedRevision,
                    maxUnavailable,
                    leaseExpiresAt,
                    checks,
                    machineClass,
                    drainMode,
                    mode,
                    allowDowngrade,
                    UpgradeProvider.K8SD,
                    null,
                    false);
        }

        /** A command without checks and without a machine class. */
        public UpgradeMachine(
                MachineKey key,
                String uid,
                long attempt,
                MachineRole role,
                UpgradeTarget target,
                @Nullable String expectedVersion,
                @Nullable String learnedRevision,
                int maxUnavailable,
                Instant leaseExpiresAt) {
            this(
                    key,
                    uid,
                    attempt,
                    role,
                    target,
                    expectedVersion,
                    learnedRevision,
                    maxUnavailable,
                    leaseExpiresAt,
                    CampaignChecks.NONE,
                    null,
                    null,
                    null);
        }

        /** A command that allows a downgrade. */
        public UpgradeMachine(
                MachineKey key,
                String uid,
                long attempt,
                MachineRole role,
                UpgradeTarget target,
                @Nullable String expectedVersion,
                @Nullable String learnedRevision,
                int maxUnavailable,
                Instant leaseExpiresAt,
                CampaignChecks checks,
                @Nullable String machineClass,
                @Nullable DrainMode drain,
                @Nullable SiteMode mode) {
            this(
                    key,
                    uid,
                    attempt,
                    role,
                    target,
                    expectedVersion,
                    learnedRevision,
                    maxUnavailable,
                    leaseExpiresAt,
                    checks,
                    machineClass,
                    drain,
                    mode,
                    true);
        }

        /** Returns a copy whose lease expires at another instant. */
        public UpgradeMachine withLeaseUntil(Instant end) {
            return with(target, end, allowDowngrade, provider, template, prepared);
        }

        /** Returns a copy with another target. */
        public UpgradeMachine withTarget(UpgradeTarget other) {
            return with(other, leaseExpiresAt, allowDowngrade, provider, template, prepared);
        }

        /** Returns a copy that does not allow a downgrade. */
        public UpgradeMachine withoutDowngrade() {
            return with(target, leaseExpiresAt, false, provider, template, prepared);
        }

        /** Returns a copy for a machine that a NodeUpgrade upgrades. */
        public UpgradeMachine withNodeUpgrade(NodeUpgradeTemplateRef from) {
            return with(target, leaseExpiresAt, allowDowngrade, UpgradeProvider.NODE_UPGRADE, from, prepared);
        }

        /** Returns a copy for a machine that a preparation has prepared. */
        public UpgradeMachine withPreparation() {
            return with(target, leaseExpiresAt, allowDowngrade, provider, template, true);
        }

        private UpgradeMachine with(
                UpgradeTarget newTarget,
                Instant leaseEnd,
                boolean downgrade,
                UpgradeProvider upgradeProvider,
                @Nullable NodeUpgradeTemplateRef from,
                boolean isPrepared) {
            return new UpgradeMachine(
                    key,
                    uid,
                    attemptId,
                    role,
                    newTarget,
                    expectedVersion,
                    resolvedRevision,
                    maxUnavailable,
                    leaseEnd,
                    checks,
                    machineClass,
                    drainMode,
                    mode,
                    downgrade,
                    upgradeProvider,
                    from,
                    isPrepared);
        }
    }

    /**
     * Fetch what the upgrade of the machine needs, ahead of it, and change nothing that runs.
     *
     * @param attemptId the id of the preparation, which no attempt has
     * @param leaseExpiresAt when the command lease expires: the preparation must not begin later
     * @param deadline no step starts after it
     */
    record PrepareMachine(
            MachineKey key,
            String uid,
            long attemptId,
            MachineRole role,
            UpgradeTarget target,
            Instant leaseExpiresAt,
            Instant deadline,
            NodeUpgradeTemplateRef template)
            implements WorkerCommand {
        /** Only NodeUpgrades prepare: k8sd has no such call. */
        @Override
        public UpgradeProvider provider() {
            return UpgradeProvider.NODE_UPGRADE;
        }
    }

    /**
     * Cancel the attempt: do not make the call. If it was made already, abort the change if the provider can, and follow it to
     * its end.
     *
     * @param provider as in the attempt's other commands
     * @param template as in the attempt's other commands
     * @param upgrade what is cancelled, for a worker that does not know the command before; null if the provider cannot abort, and in
     *     rows of earlier versions
     */
    record CancelUpgrade(
            MachineKey key,
            String uid,
            long attemptId,
            String reason,
            UpgradeProvider provider,
            @Nullable NodeUpgradeTemplateRef template,
            @Nullable CancelledUpgrade upgrade)
            implements WorkerCommand {

        /** The cancellation of an upgrade by k8sd. */
        public CancelUpgrade(MachineKey key, String uid, long attemptId, String reason) {
            this(key, uid, attemptId, reason, UpgradeProvider.K8SD, null, null);
        }

        /** The upgrade that is cancelled, with a lease that has expired: nothing can be called for it. Null if it is not known. */
        public @Nullable UpgradeMachine expiredUpgrade() {
            return upgrade == null
                    ? null
                    : new UpgradeMachine(
                            key,
                            uid,
                            attemptId,
                            upgrade.role(),
                            upgrade.target(),
                            upgrade.expectedVersion(),
                            null,
                            0,
                            Instant.EPOCH,
                            CampaignChecks.NONE,
                            null,
                            null,
                            null,
                            true,
                            provider,
                            template,
                            false);
        }
    }

    /** What a cancelled attempt would bring its machine to. */
    record CancelledUpgrade(
            MachineRole role,
            UpgradeTarget target,
            @Nullable String expectedVersion) {}
}
