package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A look at one machine's rows. It shows the state as it is, and must not be kept over a put. */
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

    /** Its site, for which its key need not be made. */
    public SiteId site() {
        return table.placeOf(row).site();
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

    /** Whether its newest inventory row could not be read. */
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

    /** The first of what others are doing to it, or null. */
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

    /** The version that its kubelet shows. */
    public int version() {
        return KubernetesVersion.parse(table.version(row));
    }

    /** The snap revision that its node shows of itself. */
    public @Nullable String revision() {
        return table.revision(row);
    }

    public @Nullable ClusterState cluster() {
        return table.cluster(row);
    }

    /** What its inventory row says owns it; null for nothing. */
    public @Nullable OwnerKey owner() {
        return table.owners().key(table.owner(row));
    }

    /** What is asked of its owner; null for nothing. */
    public @Nullable UpgradeIntent ownersIntent() {
        return table.owners().intent(table.owner(row));
    }

    public @Nullable MachineStatus status() {
        return table.statuses().get(row);
    }

    public @Nullable UpgradeAttempt attempt() {
        return table.statuses().attempt(row);
    }

    /** The role that it had when its open attempt was admitted; null where none is open, or nobody has noted it. */
    public @Nullable MachineRole admittedAs() {
        UpgradeAttempt attempt = table.statuses().attempt(row);
        return attempt == null || attempt.machine() == null
                ? null
                : attempt.machine().role();
    }

    /** Whether it counts against caps: an attempt is open, or someone else is upgrading it. */
    public boolean inFlight() {
        return table.statuses().attempt(row) != null || hasForeignActivity();
    }

    /** What a driver has had to do with it; null for nothing. */
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

    /** The number of the revision that it had when a driver first tried it; zero where that is not known. */
    public int firstRevision(RolloutRef rolloutRef) {
        return table.statuses().firstRevision(row, rolloutRef);
    }

    /** When a driver may try it again; null for at once. */
    public @Nullable Instant retryAt(RolloutRef rolloutRef) {
        MachineStatus whole = table.statuses().whole(row);
        RolloutEntry entry = whole == null ? null : entry(rolloutRef);
        return entry == null ? null : entry.retryAt();
    }

    /** Its worker's refusals to start it for a driver, in a row; null where there are none. */
    public @Nullable StartDeferral deferral(RolloutRef rolloutRef) {
        MachineStatus whole = table.statuses().whole(row);
        RolloutEntry entry = whole == null ? null : entry(rolloutRef);
        return entry == null ? null : entry.deferral();
    }

    /** What all campaigns and intents have had to do with it. */
    public List<RolloutEntry> entries() {
        MachineStatus status = table.statuses().get(row);
        return status == null ? List.of() : status.entries();
    }

    /** Whether as many campaigns and intents have had to do with it as there is room for. */
    public boolean hasMaxEntries() {
        MachineStatus whole = table.statuses().whole(row);
        return whole != null && whole.entries().size() >= RolloutEntry.MAX_PER_MACHINE;
    }

    /** Whether another site shows a machine with the same node. */
    public boolean hasDuplicateNode() {
        return isPresent() && (twinElsewhere(table.providers) || twinElsewhere(table.systems));
    }

    /**
     * The machine of another site that shows the same node and goes on while this one waits: one that has an open attempt, or that
     * was upgraded before and this one never. What its site says of other controllers stops no other site. Null for none.
     */
    public @Nullable MachineView yieldsTo() {
        MachineView first = isPresent() ? yieldsTo(table.providers) : null;
        return first != null || !isPresent() ? first : yieldsTo(table.systems);
    }

    private @Nullable MachineView yieldsTo(DuplicateNodeIndex duplicateNodeIndex) {
        for (int row : duplicateNodeIndex.duplicatesOf(this.row)) {
            MachineView twin = new MachineView(table, row);
            boolean before = !twin.entries().isEmpty() && entries().isEmpty();
            if (!twin.site().equals(site()) && (twin.attempt() != null || before)) {
                return twin;
            }
        }
        return null;
    }

    private boolean twinElsewhere(DuplicateNodeIndex duplicateNodeIndex) {
        List<Integer> twins = duplicateNodeIndex.duplicatesOf(row);
        for (int twin : twins) {
            if (!table.placeOf(twin).site().equals(table.placeOf(row).site())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether an inventory row shows another node than the known one does: by the system UUID, and where one does not tell, by the
     * provider's id. Two rows that do not tell may be of one node.
     */
    public boolean isOtherNode(MachineRow value) {
        if (!isPresent()) {
            return false;
        }
        boolean told = DuplicateNodeIndex.identifiesNode(value.systemUuid()) && table.systems.identifiesNode(row);
        return told
                ? !table.systems.showsNode(row, value.systemUuid())
                : value.providerId() != null
                        && table.providers.digest(row) != 0
                        && !table.providers.showsNode(row, value.providerId());
    }

    /** Whether an inventory row says nothing that is not known. */
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
