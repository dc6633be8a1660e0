package dev.flotilla.core.fleet.inventory;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.ReferenceColumn;
import dev.flotilla.core.fleet.column.RowHashIndex;
import dev.flotilla.core.fleet.column.RowNumberAllocator;
import dev.flotilla.core.fleet.column.UidColumn;
import dev.flotilla.core.fleet.column.ValueInterner;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The inventory rows of all machines, in columns, and their {@link MachineStatusTable}. */
public final class MachineTable extends RowHashIndex {
    static final int ROW = 1;
    static final int STATUS = 1 << 1;
    static final int UNREADABLE = 1 << 2;
    static final int CONTROL_PLANE = 1 << 3;
    static final int READY = 1 << 4;
    static final int DELETING = 1 << 5;
    static final int PAUSED = 1 << 6;
    static final int HOLD = 1 << 7;
    static final int OPT_OUT = 1 << 8;
    static final int NODE = 1 << 9;
    static final int ACTIVITY = 1 << 10;
    static final int PROVIDER = 1 << 15;
    private static final int INVENTORY =
            ROW | CONTROL_PLANE | READY | DELETING | PAUSED | HOLD | OPT_OUT | NODE | 31 * ACTIVITY | 3 * PROVIDER;

    private static final ForeignActivity[] ACTIVITIES = ForeignActivity.values();
    private static final UpgradeProvider[] PROVIDERS = UpgradeProvider.values();

    /** A namespace of a site. */
    record NamespaceKey(SiteId site, String namespace) {
        static NamespaceKey of(MachineKey key) {
            return new NamespaceKey(key.site(), key.namespace());
        }
    }

    private final ValueInterner<NamespaceKey> namespaces = new ValueInterner<>();
    private final ValueInterner<Labels> labels = new ValueInterner<>();
    private final ValueInterner<String> texts = new ValueInterner<>();
    private final IntColumn namespace = new IntColumn();
    private final ReferenceColumn<byte[]> name = new ReferenceColumn<>();
    private final ReferenceColumn<ClusterState> cluster = new ReferenceColumn<>();
    private final IntColumn flags = new IntColumn();
    private final IntColumn labelSet = new IntColumn();
    private final IntColumn release = new IntColumn();
    private final IntColumn architecture = new IntColumn();
    private final IntColumn version = new IntColumn();
    private final IntColumn revision = new IntColumn();
    private final IntColumn owner = new IntColumn();
    private final MachineOwnerTable owners = new MachineOwnerTable();
    private final ProviderRuleTable providerRules = new ProviderRuleTable();
    final UidColumn uids = new UidColumn();
    final DuplicateNodeIndex providers = new DuplicateNodeIndex();
    final DuplicateNodeIndex systems = new DuplicateNodeIndex();

    /** Machines whose duplicates have changed, until they are checked again. */
    final List<Integer> met = new ArrayList<>();

    private final MachineStateHash stateHash = new MachineStateHash(this);
    private final MachineStatusTable statuses = new MachineStatusTable(this);

    private final RowNumberAllocator numbers = new RowNumberAllocator(0);

    /** A decision often asks for the same machine repeatedly. */
    private @Nullable MachineKey lastKey;

    private int lastRow;

    /** The number after the last row that may hold a machine. */
    int rows() {
        return numbers.end();
    }

    boolean holds(int row) {
        return name.get(row) != null;
    }

    @Override
    public int hashOf(int row) {
        byte[] bytes = nameOf(row);
        int hash = 0;
        for (byte b : bytes) {
            hash = 31 * hash + b;
        }
        return namespaceOf(row).hashCode() * 31 + hash;
    }

    public int find(MachineKey key) {
        if (key.equals(lastKey)) {
            return lastRow;
        }
        NamespaceKey where = NamespaceKey.of(key);
        int hash = where.hashCode() * 31 + key.name().hashCode();
        for (int slot = start(hash); !isFree(slot); slot = next(slot)) {
            int row = row(slot);
            if (mayMatch(slot, hash)
                    && isNamed(row, key.name())
                    && namespaceOf(row).equals(where)) {
                lastKey = key;
                lastRow = row;
                return row;
            }
        }
        return -1;
    }

    public int findOrAdd(MachineKey key) {
        int found = find(key);
        if (found >= 0) {
            return found;
        }
        int row = numbers.allocate();
        namespace.set(row, namespaces.numberOf(NamespaceKey.of(key)));
        name.set(row, key.name().getBytes(StandardCharsets.US_ASCII));
        insert(row);
        return row;
    }

    void drop(int row) {
        remove(row);
        lastKey = null;
        name.set(row, null);
        cluster.set(row, null);
        numbers.release(row);
    }

    void putRow(int row, MachineRow value) {
        setIdentity(providers, row, value.providerId());
        setIdentity(systems, row, value.systemUuid());
        flags.set(row, (flags.get(row) & ~INVENTORY) | inventoryFlags(value));
        uids.set(row, value.uid());
        labelSet.set(row, labels.numberOf(value.labels()));
        release.set(row, texts.numberOf(value.release()));
        architecture.set(row, texts.numberOf(value.architecture()));
        version.set(row, texts.numberOf(value.kubeletVersion()));
        revision.set(row, texts.numberOf(value.revision()));
        stateHash.changed(row);
    }

    private void setIdentity(DuplicateNodeIndex duplicateNodeIndex, int row, @Nullable String identity) {
        if (!has(row, ROW)) {
            met.addAll(duplicateNodeIndex.set(row, identity));
        } else if (!duplicateNodeIndex.showsNode(row, identity)) {
            met.addAll(duplicateNodeIndex.clear(row));
            met.addAll(duplicateNodeIndex.set(row, identity));
        }
    }

    void clearRow(int row) {
        if (has(row, ROW)) {
            met.addAll(providers.clear(row));
            met.addAll(systems.clear(row));
        }
        flags.set(row, flags.get(row) & ~INVENTORY);
        stateHash.changed(row);
    }

    MachineKey key(int row) {
        NamespaceKey where = namespaceOf(row);
        return new MachineKey(where.site(), where.namespace(), new String(nameOf(row), StandardCharsets.US_ASCII));
    }

    public int compareKeys(int row, int other) {
        NamespaceKey a = namespaceOf(row);
        NamespaceKey b = namespaceOf(other);
        if (!a.equals(b)) {
            int bySite = a.site().compareTo(b.site());
            int byNamespace = bySite != 0 ? bySite : a.namespace().compareTo(b.namespace());
            if (byNamespace != 0) {
                return byNamespace;
            }
        }
        byte[] left = nameOf(row);
        byte[] right = nameOf(other);
        int shorter = Math.min(left.length, right.length);
        for (int i = 0; i < shorter; i++) {
            if (left[i] != right[i]) {
                return left[i] - right[i];
            }
        }
        return left.length - right.length;
    }

    boolean has(int row, int flag) {
        return (flags.get(row) & flag) != 0;
    }

    void mark(int row, int flag, boolean on) {
        flags.set(row, on ? flags.get(row) | flag : flags.get(row) & ~flag);
        stateHash.changed(row);
    }

    @Nullable
    ForeignActivity activity(int row) {
        int bits = flags.get(row) / ACTIVITY & 31;
        return bits == 0 ? null : ACTIVITIES[Integer.numberOfTrailingZeros(bits)];
    }

    /** What upgrades a machine according to its inventory row. */
    UpgradeProvider rowProvider(int row) {
        return PROVIDERS[flags.get(row) / PROVIDER & 3];
    }

    /** The first rule of a policy about what upgrades a machine; null for none. */
    @Nullable
    ProviderRule providerRule(int row) {
        return providerRules.isEmpty()
                ? null
                : providerRules.findRule(namespaceOf(row).site(), labelSet.get(row), labels(row));
    }

    boolean isMachine(int row, ForeignActivity foreignActivity) {
        return has(row, ACTIVITY << foreignActivity.code());
    }

    public int labelSet(int row) {
        return labelSet.get(row);
    }

    Labels labels(int row) {
        return labelsOf(labelSet.get(row));
    }

    public Labels labelsOf(int set) {
        Labels known = labels.value(set);
        return known == null ? Labels.NONE : known;
    }

    @Nullable
    String release(int row) {
        return texts.value(release.get(row));
    }

    @Nullable
    String architecture(int row) {
        return text(architectureNumber(row));
    }

    public int architectureNumber(int row) {
        return architecture.get(row);
    }

    public @Nullable String text(int number) {
        return texts.value(number);
    }

    @Nullable
    String version(int row) {
        return texts.value(version.get(row));
    }

    /** The number of the node's revision; zero for none. */
    int revisionNumber(int row) {
        return revision.get(row);
    }

    @Nullable
    String revision(int row) {
        return texts.value(revision.get(row));
    }

    public @Nullable ClusterState cluster(int row) {
        return cluster.get(row);
    }

    void cluster(int row, ClusterState value) {
        cluster.set(row, value);
    }

    /** The number of its owner. */
    public int owner(int row) {
        return owner.get(row);
    }

    void owner(int row, int number) {
        owner.set(row, number);
        stateHash.changed(row);
    }

    /** The owner that its inventory row names; null for none. */
    MachineRow.@Nullable MachineOwner ownerOf(int row) {
        return owners.get(owner.get(row));
    }

    /** A cluster of a machine's site and namespace. */
    ClusterKey clusterKey(int row, String name) {
        return new ClusterKey(namespaceOf(row).site(), namespaceOf(row).namespace(), name);
    }

    NamespaceKey namespaceOf(int row) {
        NamespaceKey where = namespaces.value(namespace.get(row));
        if (where == null) {
            throw new IllegalStateException("machine " + row + " is nowhere");
        }
        return where;
    }

    boolean rowEquals(int row, MachineRow value) {
        ClusterState home = cluster.get(row);
        return (flags.get(row) & INVENTORY) == inventoryFlags(value)
                && uids.matches(row, value.uid())
                && home != null
                && owners.isOwner(owner.get(row), home, value.owner())
                && home.isFor(value.cluster())
                && labels(row).equals(value.labels())
                && Objects.equals(release(row), value.release())
                && value.architecture().equals(architecture(row))
                && Objects.equals(version(row), value.kubeletVersion())
                && Objects.equals(revision(row), value.revision())
                && providers.showsNode(row, value.providerId())
                && systems.showsNode(row, value.systemUuid());
    }

    /** The flags set by rows, without derived ones. */
    int written(int row) {
        return flags.get(row) & (INVENTORY | UNREADABLE);
    }

    private static int inventoryFlags(MachineRow value) {
        int bits = ROW
                | (value.role() == MachineRole.CONTROL_PLANE ? CONTROL_PLANE : 0)
                | (value.ready() ? READY : 0)
                | (value.deleting() ? DELETING : 0)
                | (value.paused() ? PAUSED : 0)
                | (value.hold() ? HOLD : 0)
                | (value.optOut() ? OPT_OUT : 0)
                | (value.node() != null ? NODE : 0)
                | value.provider().code() * PROVIDER;
        for (ForeignActivity foreignActivity : value.foreignActivities()) {
            bits |= ACTIVITY << foreignActivity.code();
        }
        return bits;
    }

    private boolean isNamed(int row, String text) {
        byte[] bytes = nameOf(row);
        if (bytes.length != text.length()) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private byte[] nameOf(int row) {
        byte[] bytes = name.get(row);
        if (bytes == null) {
            throw new IllegalStateException("machine " + row + " has no name");
        }
        return bytes;
    }

    public MachineStatusTable statuses() {
        return statuses;
    }

    public MachineOwnerTable owners() {
        return owners;
    }

    public ProviderRuleTable providerRules() {
        return providerRules;
    }

    public MachineStateHash stateHash() {
        return stateHash;
    }
}
