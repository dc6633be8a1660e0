package dev.flotilla.managementwatcher.rows;

import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the rows of the table {@code inventory} from the views of objects. */
public final class InventoryRowBuilder {
    private InventoryRowBuilder() {}

    /** Builds the row of a Cluster. */
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
     * Builds the row of a Machine. It has no revision, because only the node shows that and the watcher does not
     * connect to nodes.
     *
     * @param owner null for none
     * @param task the UpgradeTask that the machine belongs to; null for none
     */
    public static MachineRow buildMachineRow(
            MachineView machine, @Nullable OwnerView owner, @Nullable UpgradeTaskView task, SiteMode mode) {
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
                machine.annotations().release(),
                machine.kubeletVersion(),
                null,
                machine.architecture(),
                findActivities(machine, owner, task, mode),
                findProvider(machine, owner, mode),
                cut(machine.annotations().dirty()));
    }

    /** The extension names a bounded number of fields; what somebody else wrote must fit into the row too. */
    private static @Nullable String cut(@Nullable String fields) {
        return fields == null || fields.length() <= MachineRow.MAX_UNAPPLIED_FIELDS
                ? fields
                : fields.substring(0, MachineRow.MAX_UNAPPLIED_FIELDS);
    }

    /**
     * A Machine that does not say has the provider of its owner's template, as one of a MachinePool; else k8sd if the
     * site is one of Canonical Kubernetes, and otherwise nothing.
     */
    public static UpgradeProvider findProvider(MachineView machine, @Nullable OwnerView owner, SiteMode mode) {
        if (machine.provider() != null) {
            return machine.provider();
        }
        if (owner != null && owner.provider() != null) {
            return owner.provider();
        }
        return mode == SiteMode.DIRECT ? UpgradeProvider.NONE : UpgradeProvider.K8SD;
    }

    /**
     * Finds what other controllers do to a machine. While Cluster API updates the machine in place and an UpgradeTask
     * does it for Cluster API, the update and its owner's rollout are no activity of others. A rollout with a surge
     * counts as scaling down too.
     */
    private static List<ForeignActivity> findActivities(
            MachineView machine, @Nullable OwnerView owner, @Nullable UpgradeTaskView task, SiteMode mode) {
        boolean updatedByTask = task != null && machine.task().updateInProgress();
        Set<ForeignActivity> activities = EnumSet.noneOf(ForeignActivity.class);
        activities.addAll(machine.activities());
        if (owner != null) {
            OwnerView.OwnerActivity ownerActivity = owner.activity();
            if (ownerActivity.rolling() && !updatedByTask) {
                activities.add(ForeignActivity.ROLLING);
            }
            boolean scaling = ownerActivity.scalingUp() || ownerActivity.scalingDown();
            if (scaling && !(updatedByTask && ownerActivity.rolling())) {
                activities.add(ForeignActivity.SCALING);
            }
            if (ownerActivity.remediating()) {
                activities.add(ForeignActivity.REMEDIATION);
            }
        }
        if (isForeign(machine, owner, mode) || (machine.task().updateInProgress() && !updatedByTask)) {
            activities.add(ForeignActivity.FOREIGN);
        }
        return List.copyOf(activities);
    }

    /**
     * Whether another controller upgrades the machine. In mode {@code direct} the provider's annotation is a request to
     * Flotilla; in other modes it is the provider's.
     */
    private static boolean isForeign(MachineView machine, @Nullable OwnerView owner, SiteMode mode) {
        boolean annotated = machine.annotations().upgradeTo() != null
                || (owner != null && owner.annotations().upgradeTo() != null);
        return machine.annotations().isChangeForeign() || (annotated && mode != SiteMode.DIRECT);
    }
}
