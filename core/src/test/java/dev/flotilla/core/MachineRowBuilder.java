package dev.flotilla.core;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a machine's inventory row for tests: a ready worker with a node, unless stated otherwise. */
public final class MachineRowBuilder {
    private final MachineKey key;
    private String uid;
    private String cluster;
    private MachineRow.@Nullable MachineOwner owner;
    private MachineRole role = MachineRole.WORKER;
    private Labels labels = Labels.NONE;
    private @Nullable String node;
    private @Nullable String providerId;
    private @Nullable String systemUuid;
    private boolean ready = true;
    private boolean deleting;
    private boolean paused;
    private boolean hold;
    private boolean optOut;
    private @Nullable String release;
    private @Nullable String revision = "3000";
    private @Nullable String version;
    private String architecture = "amd64";
    private List<ForeignActivity> activities = List.of();
    private UpgradeProvider provider = UpgradeProvider.K8SD;

    private MachineRowBuilder(MachineKey key, String cluster) {
        this.key = key;
        this.uid = FleetScenario.uidOf(key.name());
        this.cluster = cluster;
        this.node = key.name();
        this.providerId = "provider://" + key;
    }

    public static MachineRowBuilder of(SiteId site, String cluster, String name) {
        return new MachineRowBuilder(new MachineKey(site, "default", name), cluster);
    }

    static MachineRowBuilder like(MachineRow row) {
        MachineRowBuilder builder = new MachineRowBuilder(row.key(), row.cluster());
        builder.owner = row.owner();
        builder.role = row.role();
        builder.labels = row.labels();
        builder.revision = row.revision();
        builder.version = row.kubeletVersion();
        builder.provider = row.provider();
        return builder;
    }

    public MachineRowBuilder uid(String value) {
        uid = value;
        return this;
    }

    public MachineRowBuilder owner(OwnerKind kind, String name) {
        owner = new MachineRow.MachineOwner(kind, name);
        return this;
    }

    public MachineRowBuilder role(MachineRole value) {
        role = value;
        return this;
    }

    public MachineRowBuilder labels(Labels value) {
        labels = value;
        return this;
    }

    public MachineRowBuilder providerId(@Nullable String value) {
        providerId = value;
        return this;
    }

    public MachineRowBuilder systemUuid(@Nullable String value) {
        systemUuid = value;
        return this;
    }

    MachineRowBuilder noNode() {
        node = null;
        return this;
    }

    MachineRowBuilder notReady() {
        ready = false;
        return this;
    }

    MachineRowBuilder deleting() {
        deleting = true;
        return this;
    }

    MachineRowBuilder paused() {
        paused = true;
        return this;
    }

    MachineRowBuilder onHold() {
        hold = true;
        return this;
    }

    public MachineRowBuilder optedOut() {
        optOut = true;
        return this;
    }

    MachineRowBuilder release(String value) {
        release = value;
        return this;
    }

    MachineRowBuilder revision(@Nullable String value) {
        revision = value;
        return this;
    }

    MachineRowBuilder version(@Nullable String value) {
        version = value;
        return this;
    }

    MachineRowBuilder architecture(String value) {
        architecture = value;
        return this;
    }

    MachineRowBuilder doing(ForeignActivity... values) {
        activities = List.of(values);
        return this;
    }

    MachineRowBuilder provider(UpgradeProvider value) {
        provider = value;
        return this;
    }

    public MachineRow build() {
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
                ready,
                deleting,
                paused,
                hold,
                optOut,
                release,
                version,
                revision,
                architecture,
                activities,
                provider);
    }
}
