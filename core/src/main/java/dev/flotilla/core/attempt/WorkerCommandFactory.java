package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.fleet.time.CommandLeaseTimeouts;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the commands of attempts. */
final class WorkerCommandFactory {
    private WorkerCommandFactory() {}

    /** When a command lease that is granted now expires. */
    static Instant leaseExpiry(StartCandidate candidate, Instant now) {
        Instant end = now.plus(CommandLeaseTimeouts.DURATION);
        if (candidate.finishesControlPlane()) {
            return end;
        }
        Rollout rollout = candidate.rollout();
        Instant deadline =
                rollout instanceof CampaignRollout campaign ? campaign.spec().deadline() : null;
        long closes = candidate.state().windowClosesAt(rollout, candidate.cluster(), now);
        if (closes >= 0 && closes < Long.MAX_VALUE) {
            Instant last = Instant.ofEpochMilli(closes - candidate.expectedDurationMillis());
            end = last.isBefore(end) ? last : end;
        }
        return deadline != null && deadline.isBefore(end) ? deadline : end;
    }

    static WorkerCommand upgradeCommand(
            FleetState state,
            Rollout rollout,
            MachineView machine,
            MachineStatus status,
            UpgradeAttempt attempt,
            Instant leaseExpiresAt) {
        SiteState site = state.site(status.key().site());
        WatcherHeartbeat heartbeat = site == null ? null : site.heartbeat();
        AttemptMachineSnapshot admitted = attempt.machine();
        return new WorkerCommand.UpgradeMachine(
                status.key(),
                status.uid(),
                attempt.id(),
                machine.role(),
                attempt.target(),
                rollout.expectedVersion(attempt),
                rollout instanceof CampaignRollout campaign ? resolvedRevision(campaign, machine) : null,
                rollout.rules().maxUnavailableIn(machine.cluster()),
                leaseExpiresAt,
                rollout instanceof CampaignRollout campaign
                        ? campaign.spec().checks().forRole(machine.role())
                        : CampaignChecks.NONE,
                state.timeoutsOf(status.key().site()).machineClass(machine),
                rollout.rules().drainMode(),
                heartbeat == null ? null : heartbeat.mode(),
                rollout.rules().versionExemptions().allowDowngrade(),
                admitted == null ? UpgradeProvider.K8SD : admitted.provider(),
                admitted == null ? null : admitted.template(),
                isPrepared(status, attempt));
    }

    /** Whether what the attempt needs was fetched before it: a policy may have changed its template since. */
    private static boolean isPrepared(MachineStatus status, UpgradeAttempt attempt) {
        return status.preparation() != null
                && attempt.machine() != null
                && status.preparation()
                        .hasPrepared(attempt.target(), attempt.machine().template());
    }

    static WorkerCommand cancelCommand(
            @Nullable Rollout rollout, MachineStatus status, UpgradeAttempt attempt, String reason) {
        AttemptMachineSnapshot admitted = attempt.machine();
        return admitted == null
                ? new WorkerCommand.CancelUpgrade(status.key(), status.uid(), attempt.id(), reason)
                : new WorkerCommand.CancelUpgrade(
                        status.key(),
                        status.uid(),
                        attempt.id(),
                        reason,
                        admitted.provider(),
                        admitted.template(),
                        admitted.provider().canAbort()
                                ? new WorkerCommand.CancelledUpgrade(
                                        admitted.role(),
                                        attempt.target(),
                                        rollout == null ? null : rollout.expectedVersion(attempt))
                                : null);
    }

    /** The revision that a node at the target shows; null if unknown, or if each node numbers the target by itself. */
    private static @Nullable String resolvedRevision(CampaignRollout campaign, MachineView machine) {
        if (campaign.spec().target().option() instanceof UpgradeTarget.LocalPath) {
            return null;
        }
        for (ResolvedTarget resolvedTarget : campaign.status().resolvedTargets()) {
            if (resolvedTarget.appliesTo(machine.site())
                    && resolvedTarget.architecture().equals(machine.architecture())) {
                return resolvedTarget.revision();
            }
        }
        return null;
    }
}
