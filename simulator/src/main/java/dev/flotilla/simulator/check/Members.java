package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Selection;
import org.jspecify.annotations.Nullable;

/** Who belongs to what a driver is about. */
final class Members {
    private final Recount rows;

    Members(Recount rows) {
        this.rows = rows;
    }

    /** Whether a machine belongs to a driver: it matches, or has an entry. */
    boolean selected(MachineRow machine, Driver driver) {
        Entry entry = Recount.entry(rows.status(machine.key()), driver);
        if (entry != null) {
            return true;
        }
        return switch (driver) {
            case Driver.OfCampaign campaign -> matches(machine, rows.campaign(campaign));
            case Driver.OfIntent intent ->
                !machine.optOut()
                        && switch (intent.object()) {
                            case MachineKey own -> own.equals(machine.key());
                            case OwnerKey owner -> owner.equals(Recount.ownerOf(machine));
                            case ClusterKey cluster -> cluster.equals(machine.clusterKey());
                        };
        };
    }

    private boolean matches(MachineRow machine, @Nullable CampaignStatus campaign) {
        if (campaign == null || machine.optOut()) {
            return false;
        }
        Selection select = campaign.accepted().spec().select();
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
                && !select.exclude().contains(machine.key());
    }

    /** Machines of a campaign that have an inventory row. */
    int count(CampaignStatus campaign) {
        Driver driver = new Driver.OfCampaign(campaign.name(), campaign.uid());
        int count = 0;
        for (MachineRow row : rows.machines()) {
            count += selected(row, driver) ? 1 : 0;
        }
        return count;
    }

    /** Whether a driver has nothing more to do with a machine, or never had. */
    boolean isDone(MachineRow machine, Driver driver) {
        Entry entry = Recount.entry(rows.status(machine.key()), driver);
        if (entry == null) {
            return !selected(machine, driver);
        }
        if (machine.optOut() && !Recount.inFlight(rows.status(machine.key()), driver)) {
            return true;
        }
        return entry.outcome().atTarget() || entry.outcome() == Outcome.SKIPPED;
    }

    /** Whether any member of a machine's control plane has been started by a driver. */
    boolean controlPlaneBegun(MachineRow machine, Driver driver) {
        for (MachineRow other : rows.machines(machine.clusterKey())) {
            if (other.role() == Role.CONTROL_PLANE && Recount.entry(rows.status(other.key()), driver) != null) {
                return true;
            }
        }
        return false;
    }

    Limit maxUnavailable(SiteId site, @Nullable CampaignStatus campaign) {
        if (campaign != null) {
            return campaign.accepted().spec().maxUnavailable();
        }
        return rows.intentRule(site).maxUnavailable();
    }
}
