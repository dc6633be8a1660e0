package dev.flotilla.auditor.model;

import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.ClusterRow;
import dev.flotilla.auditor.wire.Driver;
import dev.flotilla.auditor.wire.Entry;
import dev.flotilla.auditor.wire.Intent;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.Spec;
import org.jspecify.annotations.Nullable;

/** Who belongs to what drives machines: whoever matches, and for good whoever has an entry. */
public final class Members {
    private final Fleet fleet;

    public Members(Fleet fleet) {
        this.fleet = fleet;
    }

    public boolean selected(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        if (status != null && status.entry(driver) != null) {
            return true;
        }
        return switch (driver) {
            case Driver.OfCampaign campaign -> matches(machine, fleet.campaign(campaign));
            case Driver.OfIntent intent -> !machine.optOut() && concerns(intent, machine);
        };
    }

    private static boolean concerns(Driver.OfIntent intent, MachineRow machine) {
        return machine.site().equals(intent.site())
                && (intent.object().equals("machine/" + inSite(machine.id()))
                        || intent.object().equals("cluster/" + inSite(machine.cluster())));
    }

    private static String inSite(String id) {
        return id.substring(id.indexOf('/') + 1);
    }

    private boolean matches(MachineRow machine, @Nullable CampaignStatus campaign) {
        if (campaign == null || machine.optOut()) {
            return false;
        }
        Spec.Selection select = campaign.spec().select();
        ClusterRow cluster = fleet.cluster(machine.cluster());
        return (select.sites().isEmpty() || select.sites().contains(machine.site()))
                && (select.clusters().isEmpty()
                        || (cluster != null && select.clusters().matches(cluster.labels())))
                && select.machines().matches(machine.labels())
                && (select.roles().isEmpty()
                        || select.roles().contains(machine.controlPlane() ? "control-plane" : "worker"))
                && (select.currentRelease().isEmpty() || select.currentRelease().contains(machine.release()))
                && !select.exclude().contains(machine.id());
    }

    /** Whether a driver has nothing more to do with a machine, or never had. */
    public boolean isDone(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        Entry entry = status == null ? null : status.entry(driver);
        if (entry == null) {
            return !selected(machine, driver);
        }
        return (machine.optOut() && (status == null || !status.inFlightFor(driver)))
                || entry.atTarget()
                || entry.skipped();
    }

    /** Whether a driver has begun with any member of a machine's control plane. */
    public boolean controlPlaneBegun(MachineRow machine, Driver driver) {
        for (MachineRow other : fleet.machinesOf(machine.cluster())) {
            MachineStatus status = fleet.status(other.id());
            if (other.controlPlane() && status != null && status.entry(driver) != null) {
                return true;
            }
        }
        return false;
    }

    /** Whether a campaign is to do something about a machine, and has not ended with it. */
    public boolean waits(MachineRow machine, Driver driver) {
        MachineStatus status = fleet.status(machine.id());
        Entry entry = status == null ? null : status.entry(driver);
        boolean open = status != null && status.attempt() != null;
        boolean ended =
                entry != null && entry.ended() && status != null && status.uid().equals(machine.uid());
        return selected(machine, driver) && !ended && !open && !machine.optOut();
    }

    /** The intent that is a driver, if it still stands. */
    public @Nullable Intent intent(Driver driver) {
        if (!(driver instanceof Driver.OfIntent of)) {
            return null;
        }
        Intent intent = fleet.intent(of.site() + " " + of.object());
        return intent != null && intent.since() == of.since() ? intent : null;
    }
}
