package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows of `inventory`, from what is kept of objects. */
public final class InventoryRowBuilder {
    private InventoryRowBuilder() {}

    /** A Cluster's. */
    public static ClusterRow buildClusterRow(ClusterView cluster, int controlPlanes, int workers) {
        return new ClusterRow(
                cluster.key(),
                cluster.uid(),
                cluster.labels(),
                cluster.paused(),
                cluster.hold(),
                cluster.timeZone(),
                controlPlanes,
                workers);
    }

    /**
     * A Machine's. The revision is the node's word alone, and nobody here asks nodes.
     *
     * @param owner null where nothing owns it
     */
    public static MachineRow buildMachineRow(MachineView machine, @Nullable OwnerView owner, SiteMode mode) {
        return new MachineRow(
                machine.key(),
                machine.uid(),
                machine.cluster(),
                machine.owner(),
                machine.role(),
                machine.labels(),
                machine.node(),
                machine.providerId(),
                machine.systemUuid(),
                machine.ready(),
                machine.deleting(),
                machine.paused() || (owner != null && owner.paused()),
                machine.hold() || (owner != null && owner.hold()),
                machine.optOut(),
                machine.notes().release(),
                machine.kubeletVersion(),
                null,
                machine.architecture(),
                activities(machine, owner, mode));
    }

    private static List<ForeignActivity> activities(MachineView machine, @Nullable OwnerView owner, SiteMode mode) {
        Set<ForeignActivity> activities = EnumSet.noneOf(ForeignActivity.class);
        activities.addAll(machine.activities());
        if (owner != null) {
            OwnerView.OwnerActivity ownerActivity = owner.activity();
            if (ownerActivity.rolling()) {
                activities.add(ForeignActivity.ROLLING);
            }
            if (ownerActivity.scaling()) {
                activities.add(ForeignActivity.SCALING);
            }
            if (ownerActivity.remediating()) {
                activities.add(ForeignActivity.REMEDIATION);
            }
        }
        if (isForeign(machine, owner, mode)) {
            activities.add(ForeignActivity.FOREIGN);
        }
        return List.copyOf(activities);
    }

    /** In `direct` the provider's key is how people ask us; elsewhere it makes a machine the provider's. */
    private static boolean isForeign(MachineView machine, @Nullable OwnerView owner, SiteMode mode) {
        boolean asked = machine.notes().upgradeTo() != null
                || (owner != null && owner.notes().upgradeTo() != null);
        return machine.notes().isChangeForeign() || (asked && mode != SiteMode.DIRECT);
    }
}
