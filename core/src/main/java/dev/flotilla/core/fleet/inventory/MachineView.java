package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A view of one machine's rows. It shows the current state and must not be kept after a put. */
public final class MachineView {
    private final MachineTable table;
    private int row;

    public MachineView(MachineTable table, int row) {
        this.table = table;
        this.row = row;
    }

    public MachineKey key() {
        return table.key(row);
    }

    /** Its site, without creating its key. */
    public SiteId site() {
        return table.namespaceOf(row).site();
    }

    /** Whether it has an inventory row. */
    public boolean isPresent() {
        return table.has(row, MachineTable.ROW);
    }

    /** The uid in its inventory row. */
    public String uid() {
        return table.uids.get(row);
    }

    public boolean isUid(String uid) {
        return isPresent() && table.uids.matches(row, uid);
    }

    public MachineRole role() {
        return table.has(row, MachineTable.CONTROL_PLANE) ? MachineRole.CONTROL_PLANE : MachineRole.WORKER;
    }

    public boolean isControlPlane() {
        return table.has(row, MachineTable.CONTROL_PLANE);
    }

    public boolean ready() {
        return table.has(row, MachineTable.READY);
    }

    /** Whether its newest inventory row is unreadable. */
    public boolean unreadable() {
        return table.has(row, MachineTable.UNREADABLE);
    }

    public boolean deleting() {
        return table.has(row, MachineTable.DELETING);
    }

    public boolean paused() {
        return table.has(row, MachineTable.PAUSED);
    }

    public boolean hold() {
        return table.has(row, MachineTable.HOLD);
    }

    public boolean optOut() {
        return table.has(row, MachineTable.OPT_OUT);
    }

    public boolean hasNode() {
        return table.has(row, MachineTable.NODE);
    }

    public boolean hasForeignActivity() {
        return table.isMachine(row, ForeignActivity.FOREIGN);
    }

    /** The first foreign activity on it; null for none. */
    public @Nullable ForeignActivity activity() {
        return table.activity(row);
    }

    public Labels labels() {
        return table.labels(row);
    }

    public @Nullable String release() {
        return table.release(row);
    }

    public @Nullable String architecture() {
        return table.architecture(row);
    }

    /** The version of its kubelet. */
    public int version() {
        return KubernetesVersion.parse(table.version(row));
    }

    /** The version of its kubelet as its node shows it; null if it shows none. */
    public @Nullable String kubeletVersion() {
        return table.version(row);
    }

    /** What upgrades it: what the policy says, otherwise its inventory row. */
    public UpgradeProvider provider() {
        ProviderRule rule = table.providerRule(row);
        return rule == null ? table.rowProvider(row) : rule.provider();
    }

    /** What upgrades it according to its inventory row alone. */
    public UpgradeProvider foundProvider() {
        return table.rowProvider(row);
    }

    /** The template of its NodeUpgrades; null if the policy names none. */
    public @Nullable NodeUpgradeTemplateRef nodeUpgradeTemplate() {
        ProviderRule rule = table.providerRule(row);
        return rule == null ? null : rule.template();
    }

    /** The template that an UpgradeTask names for it; null if the policy does not name that one. */
    public @Nullable NodeUpgradeTemplateRef findTemplate(NodeUpgraderRef upgrader) {
        return table.providerRules().findTemplate(site(), upgrader);
    }

    /** The snap revision that its node shows. */
    public @Nullable String revision() {
        return table.revision(row);
    }

    public @Nullable ClusterState cluster() {
        return table.cluster(row);
    }

    /** Its owner by its inventory row; null for none. */
    public @Nullable OwnerKey owner() {
        return table.owners().key(table.owner(row));
    }

    /** The intent of its owner; null for none. */
    public @Nullable UpgradeIntent ownersIntent() {
        return table.owners().intent(table.owner(row));
    }

    public @Nullable MachineStatus status() {
        return table.statuses().get(row);
    }

    public @Nullable UpgradeAttempt attempt() {
        return table.statuses().attempt(row);
    }

    /** Its newest preparation; null for none. */
    public @Nullable MachinePreparation preparation() {
        return table.statuses().preparation(row);
    }

    /** Whether a command to prepare it is out. */
    public boolean isPreparing() {
        MachinePreparation preparation = table.statuses().preparation(row);
        return preparation != null && preparation.isRunning();
    }

    /** Whether what its upgrade to a target needs is on its node. */
    public boolean isPreparedFor(@Nullable UpgradeTarget target) {
        MachinePreparation preparation = table.statuses().preparation(row);
        return preparation != null && target != null && preparation.hasPrepared(target, nodeUpgradeTemplate());
    }

    /** Its role when its open attempt was admitted; null without an open attempt, or if unknown. */
    public @Nullable MachineRole admittedAs() {
        UpgradeAttempt attempt = table.statuses().attempt(row);
        return attempt == null || attempt.machine() == null
                ? null
                : attempt.machine().role();
    }

    /** Whether it counts against caps: it has an open attempt, or another controller is upgrading it. */
    public boolean inFlight() {
        return table.statuses().attempt(row) != null || hasForeignActivity();
    }

    /** Its entry of a rollout; null for none. */
    public @Nullable RolloutEntry entry(RolloutRef rolloutRef) {
        MachineStatus status = table.statuses().get(row);
        if (status != null) {
            for (RolloutEntry entry : status.entries()) {
                if (entry.rolloutRef().equals(rolloutRef)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** The number of its revision at the first attempt for a rollout; zero if unknown. */
    public int firstRevision(RolloutRef rolloutRef) {
        return table.statuses().firstRevision(row, rolloutRef);
    }

    /** When a rollout may retry it; null for at once. */
    public @Nullable Instant retryAt(RolloutRef rolloutRef) {
        MachineStatus whole = table.statuses().whole(row);
        RolloutEntry entry = whole == null ? null : entry(rolloutRef);
        return entry == null ? null : entry.retryAt();
    }

    /** Its deferrals in a row for a rollout; null for none. */
    public @Nullable StartDeferral deferral(RolloutRef rolloutRef) {
        MachineStatus whole = table.statuses().whole(row);
        RolloutEntry entry = whole == null ? null : entry(rolloutRef);
        return entry == null ? null : entry.deferral();
    }

    /** Its entries of all rollouts. */
    public List<RolloutEntry> entries() {
        MachineStatus status = table.statuses().get(row);
        return status == null ? List.of() : status.entries();
    }

    /** Whether it has the maximum number of entries. */
    public boolean hasMaxEntries() {
        MachineStatus whole = table.statuses().whole(row);
        return whole != null && whole.entries().size() >= RolloutEntry.MAX_PER_MACHINE;
    }

    /** Whether another site shows a machine with the same node. */
    public boolean hasDuplicateNode() {
        return isPresent() && (twinElsewhere(table.providers) || twinElsewhere(table.systems));
    }

    /**
     * The machine of another site with the same node that goes first while this one waits: it has an open attempt, or
     * it was upgraded before and this one never. Foreign activity in another site does not count. Null for none.
     */
    public @Nullable MachineView yieldsTo() {
        MachineView first = isPresent() ? yieldsTo(table.providers) : null;
        return first != null || !isPresent() ? first : yieldsTo(table.systems);
    }

    private @Nullable MachineView yieldsTo(DuplicateNodeIndex duplicateNodeIndex) {
        for (int row : duplicateNodeIndex.duplicatesOf(this.row)) {
            MachineView duplicate = new MachineView(table, row);
            boolean before = !duplicate.entries().isEmpty() && entries().isEmpty();
            if (!duplicate.site().equals(site()) && (duplicate.attempt() != null || before)) {
                return duplicate;
            }
        }
        return null;
    }

    private boolean twinElsewhere(DuplicateNodeIndex duplicateNodeIndex) {
        List<Integer> duplicates = duplicateNodeIndex.duplicatesOf(row);
        for (int duplicate : duplicates) {
            if (!table.namespaceOf(duplicate)
                    .site()
                    .equals(table.namespaceOf(row).site())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether an inventory row shows another node: by system UUID, or by provider id if a UUID identifies nothing. Rows
     * without an identity may be of the same node.
     */
    public boolean isOtherNode(MachineRow value) {
        if (!isPresent()) {
            return false;
        }
        boolean bothIdentified =
                DuplicateNodeIndex.identifiesNode(value.systemUuid()) && table.systems.identifiesNode(row);
        return bothIdentified
                ? !table.systems.showsNode(row, value.systemUuid())
                : value.providerId() != null
                        && table.providers.digest(row) != 0
                        && !table.providers.showsNode(row, value.providerId());
    }

    /** Whether an inventory row changes nothing. */
    public boolean matchesRow(MachineRow value) {
        return isPresent() && !unreadable() && table.rowEquals(row, value);
    }

    /** The row of the machine in the table. */
    public int row() {
        return row;
    }

    /** Shows another machine from now on. */
    public void moveTo(int machine) {
        row = machine;
    }
}
