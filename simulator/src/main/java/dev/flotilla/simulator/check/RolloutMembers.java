package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/** Which machines belong to a rollout. */
final class RolloutMembers {
    private final ReferenceFleetState rows;

    RolloutMembers(ReferenceFleetState rows) {
        this.rows = rows;
    }

    /** Whether a machine belongs to a rollout: it matches the selection, or has an entry. */
    boolean isMember(MachineRow machine, RolloutRef rolloutRef) {
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        if (entry != null) {
            return true;
        }
        return switch (rolloutRef) {
            case RolloutRef.CampaignRef campaign -> matches(machine, rows.campaign(campaign));
            case RolloutRef.IntentRef intent ->
                !machine.optOut()
                        && switch (intent.object()) {
                            case MachineKey own -> own.equals(machine.key());
                            case OwnerKey owner -> owner.equals(ReferenceFleetState.ownerOf(machine));
                            case ClusterKey cluster -> cluster.equals(machine.clusterKey());
                        }
                        && canFollow(machine, intent);
        };
    }

    private boolean canFollow(MachineRow machine, RolloutRef.IntentRef rolloutRef) {
        UpgradeIntent intent = rows.intent(rolloutRef.object());
        return intent == null || rows.canApply(machine, intent.target());
    }

    private boolean matches(MachineRow machine, @Nullable CampaignStatus campaign) {
        if (campaign == null || machine.optOut()) {
            return false;
        }
        MachineSelection select = campaign.acceptedCampaign().spec().select();
        ClusterRow cluster = rows.cluster(machine.clusterKey());
        Labels labels = cluster == null ? Labels.NONE : cluster.labels();
        String release = machine.release();
        return (select.sites().isEmpty()
                        || select.sites().contains(machine.key().site()))
                && (select.clusters().requirements().isEmpty()
                        || (cluster != null && select.clusters().matches(labels)))
                && select.machines().matches(machine.labels())
                && (select.roles().isEmpty() || select.roles().contains(machine.role()))
                && (select.currentReleases().isEmpty()
                        || (release != null && select.currentReleases().contains(release)))
                && (select.providers().isEmpty() || select.providers().contains(rows.providerOf(machine)))
                && !select.excludedMachines().contains(machine.key());
    }

    /** The number of machines of a campaign that have an inventory row. */
    int countMembers(CampaignStatus campaign) {
        RolloutRef rolloutRef = new RolloutRef.CampaignRef(campaign.name(), campaign.uid());
        int count = 0;
        for (MachineRow row : rows.machines()) {
            count += isMember(row, rolloutRef) ? 1 : 0;
        }
        return count;
    }

    /** Whether a rollout has finished with a machine, or never had it. */
    boolean isDone(MachineRow machine, RolloutRef rolloutRef) {
        RolloutEntry entry = ReferenceFleetState.entry(rows.status(machine.key()), rolloutRef);
        if (entry == null) {
            return !isMember(machine, rolloutRef);
        }
        if (machine.optOut() && !ReferenceFleetState.inFlight(rows.status(machine.key()), rolloutRef)) {
            return true;
        }
        return entry.outcome().isAtTarget() || entry.outcome() == MachineOutcome.SKIPPED;
    }

    /** Whether a rollout has started any member of a machine's control plane. */
    boolean isControlPlaneStarted(MachineRow machine, RolloutRef rolloutRef) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            if (other.role() == MachineRole.CONTROL_PLANE
                    && ReferenceFleetState.entry(rows.status(other.key()), rolloutRef) != null) {
                return true;
            }
        }
        return false;
    }

    CountOrPercent maxUnavailable(SiteId site, @Nullable CampaignStatus campaign) {
        if (campaign != null) {
            return campaign.acceptedCampaign().spec().cluster().maxUnavailable();
        }
        return rows.intentRule(site).maxUnavailable();
    }
}
