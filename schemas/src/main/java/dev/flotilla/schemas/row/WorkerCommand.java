package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a site's worker is to do about a machine. */
public sealed interface WorkerCommand extends TableRow {
    MachineKey key();

    String uid();

    long attemptId();

    @Override
    default RowKey rowKey() {
        return new RowKey(Table.COMMANDS, key());
    }

    /**
     * Upgrade the machine. The same attempt with a later {@code notAfter} renews it.
     *
     * @param leaseExpiresAt no call begins later than this
     * @param resolvedRevision the revision that the channel has proved to mean on this architecture, if known
     * @param checks what must hold around the call
     * @param machineClass the machines of its role that take as long: the value of a label; null for all of its role
     * @param drainMode whether its node is emptied before; null for as the site's worker is set
     * @param mode who acts on the provider's keys in the site; null where its watcher does not say
     * @param allowDowngrade whether the call may be made on a node that shows a newer version than the target's
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
            boolean allowDowngrade)
            implements WorkerCommand {

        /** The same until another instant. */
        public UpgradeMachine withLeaseUntil(Instant end) {
            return new UpgradeMachine(
                    key,
                    uid,
                    attemptId,
                    role,
                    target,
                    expectedVersion,
                    resolvedRevision,
                    maxUnavailable,
                    end,
                    checks,
                    machineClass,
                    drainMode,
                    mode,
                    allowDowngrade);
        }

        /** The same to another target. */
        public UpgradeMachine withTarget(UpgradeTarget other) {
            return new UpgradeMachine(
                    key,
                    uid,
                    attemptId,
                    role,
                    other,
                    expectedVersion,
                    resolvedRevision,
                    maxUnavailable,
                    leaseExpiresAt,
                    checks,
                    machineClass,
                    drainMode,
                    mode,
                    allowDowngrade);
        }

        /** One without checks, of a machine that is as all of its role. */
        public UpgradeMachine(
                MachineKey key,
                String uid,
                long attempt,
                MachineRole role,
                UpgradeTarget target,
                @Nullable String expectedVersion,
                @Nullable String learnedRevision,
                int maxUnavailable,
                Instant notAfter) {
            this(
                    key,
                    uid,
                    attempt,
                    role,
                    target,
                    expectedVersion,
                    learnedRevision,
                    maxUnavailable,
                    notAfter,
                    CampaignChecks.NONE,
                    null,
                    null,
                    null);
        }

        /** One that may lead to an older version. */
        public UpgradeMachine(
                MachineKey key,
                String uid,
                long attempt,
                MachineRole role,
                UpgradeTarget target,
                @Nullable String expectedVersion,
                @Nullable String learnedRevision,
                int maxUnavailable,
                Instant notAfter,
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
                    notAfter,
                    checks,
                    machineClass,
                    drain,
                    mode,
                    true);
        }

        /** The same, but not on a node that shows a newer version. */
        public UpgradeMachine withoutDowngrade() {
            return new UpgradeMachine(
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
                    false);
        }
    }

    /** Do not call for this attempt; where the call was made already, watch it to its end. */
    record CancelUpgrade(MachineKey key, String uid, long attemptId, String reason) implements WorkerCommand {}
}
