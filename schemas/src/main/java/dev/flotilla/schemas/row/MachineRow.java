package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine as its site's watcher sees it. Not authoritative: the worker inspects the node before the call.
 *
 * @param cluster the name of its cluster, in the machine's namespace
 * @param node the node's name, null while the machine has none
 * @param systemUuid the node's system UUID; with {@code providerId} it shows whether two sites have the same node
 * @param release the release annotation: what was applied last; never a proof
 * @param revision the snap revision that the node shows
 * @param foreignActivities what other controllers are doing to it, in the order of {@link ForeignActivity}, each once
 * @param provider what upgrades it, as far as the watcher can tell; a policy may say otherwise
 * @param unappliedFields the fields whose change was accepted and not applied, as annotation {@code flotilla.dev/dirty} names them; null
 *     for none
 */
public record MachineRow(
        MachineKey key,
        String uid,
        String cluster,
        @Nullable MachineOwner owner,
        MachineRole role,
        Labels labels,
        @Nullable String node,
        @Nullable String providerId,
        @Nullable String systemUuid,
        boolean ready,
        boolean deleting,
        boolean paused,
        boolean hold,
        boolean optOut,
        @Nullable String release,
        @Nullable String kubeletVersion,
        @Nullable String revision,
        String architecture,
        List<ForeignActivity> foreignActivities,
        UpgradeProvider provider,
        @Nullable String unappliedFields)
        implements TableRow {

    public static final int MAX_UNAPPLIED_FIELDS = 2048;

    /** The object that owns a machine, in the machine's namespace. */
    public record MachineOwner(OwnerKind kind, String name) {}

    public MachineRow {
        foreignActivities = List.copyOf(foreignActivities);
    }

    /** A machine whose description it matches. */
    public MachineRow(
            MachineKey key,
            String uid,
            String cluster,
            @Nullable MachineOwner owner,
            MachineRole role,
            Labels labels,
            @Nullable String node,
            @Nullable String providerId,
            @Nullable String systemUuid,
            boolean ready,
            boolean deleting,
            boolean paused,
            boolean hold,
            boolean optOut,
            @Nullable String release,
            @Nullable String kubeletVersion,
            @Nullable String revision,
            String architecture,
            List<ForeignActivity> foreignActivities,
            UpgradeProvider provider) {
        this(
                key,
                uid,
                cluster,
                owner,
                role,
                labels,
                node,
                providerId,
                systemUuid,
                ready,
                deleting,
                paused,
                hold,
                optOut,
                release,
                kubeletVersion,
                revision,
                architecture,
                foreignActivities,
                provider,
                null);
    }

    /** A machine that k8sd upgrades. */
    public MachineRow(
            MachineKey key,
            String uid,
            String cluster,
            @Nullable MachineOwner owner,
            MachineRole role,
            Labels labels,
            @Nullable String node,
            @Nullable String providerId,
            @Nullable String systemUuid,
            boolean ready,
            boolean deleting,
            boolean paused,
            boolean hold,
            boolean optOut,
            @Nullable String release,
            @Nullable String kubeletVersion,
            @Nullable String revision,
            String architecture,
            List<ForeignActivity> foreignActivities) {
        this(
                key,
                uid,
                cluster,
                owner,
                role,
                labels,
                node,
                providerId,
                systemUuid,
                ready,
                deleting,
                paused,
                hold,
                optOut,
                release,
                kubeletVersion,
                revision,
                architecture,
                foreignActivities,
                UpgradeProvider.K8SD);
    }

    /** Returns a copy with another provider. */
    public MachineRow withProvider(UpgradeProvider other) {
        return with(ready, other, unappliedFields);
    }

    /** Returns a copy that is ready. */
    public MachineRow withReadyNode() {
        return with(true, provider, unappliedFields);
    }

    /** Returns a copy with other fields whose change was not applied. */
    public MachineRow withUnappliedFields(@Nullable String fields) {
        return with(ready, provider, fields);
    }

    private MachineRow with(boolean isReady, UpgradeProvider upgradeProvider, @Nullable String fields) {
        return new MachineRow(
                key,
                uid,
                cluster,
                owner,
                role,
                labels,
                node,
                providerId,
                systemUuid,
                isReady,
                deleting,
                paused,
                hold,
                optOut,
                release,
                kubeletVersion,
                revision,
                architecture,
                foreignActivities,
                upgradeProvider,
                fields);
    }

    public ClusterKey clusterKey() {
        return new ClusterKey(key.site(), key.namespace(), cluster);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.INVENTORY, key);
    }
}
