package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.util.List;

/** JSON codecs for the inventory rows of a site's watcher. */
final class InventoryRowCodecs {
    static final JsonCodec<MachineRole> ROLE = EnumCodec.of(MachineRole.class, MachineRole::label);

    private static final int MAX_RELEASE = 4096;
    private static final int MAX_MODE_CONFLICT = 1024;

    public static final JsonCodec<WatcherHeartbeat> HEARTBEAT = heartbeat();
    public static final JsonCodec<ClusterRow> CLUSTER = cluster();
    public static final JsonCodec<MachineRow> MACHINE = machine();

    private InventoryRowCodecs() {}

    private static JsonCodec<WatcherHeartbeat> heartbeat() {
        var row = JsonObjectCodec.<WatcherHeartbeat>of(
                "heartbeat", "A watcher's statement that it watches its whole site.");
        var site = row.required("site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, WatcherHeartbeat::site);
        var uid = row.required(
                "managementUid",
                ScalarCodecs.TOKEN,
                "The uid of the management cluster's kube-system namespace; it identifies the cluster.",
                WatcherHeartbeat::managementUid);
        var watcher =
                row.required("watcher", ScalarCodecs.TOKEN, "The watcher that sent it.", WatcherHeartbeat::watcher);
        var sentAt = row.required(
                "sentAt", ScalarCodecs.INSTANT, "When it was sent, by the watcher's clock.", WatcherHeartbeat::sentAt);
        var withheldRemovals = row.defaulted(
                "withheldRemovals",
                ScalarCodecs.COUNT,
                0,
                "Machines that vanished at once: the watcher withholds their tombstones until the removal is accepted.",
                WatcherHeartbeat::withheldRemovals);
        var mode = row.optional(
                "mode",
                EnumCodec.of(SiteMode.class, SiteMode::label),
                "Who acts on the provider's annotations in this site, and so which annotations the watcher reads as intents.",
                WatcherHeartbeat::mode);
        var modeConflict = row.optional(
                "modeConflict",
                ScalarCodecs.text(0, MAX_MODE_CONFLICT),
                "Evidence that the mode is wrong, if there is any.",
                WatcherHeartbeat::modeConflict);
        var appliedRemovalOrder = row.optional(
                "appliedRemovalOrder",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The id of the last order to accept a mass removal that the watcher applied.",
                WatcherHeartbeat::appliedRemovalOrder);
        return row.build(v -> new WatcherHeartbeat(
                v.get(site),
                v.get(uid),
                v.get(watcher),
                v.get(sentAt),
                v.get(withheldRemovals),
                v.get(mode),
                v.get(modeConflict),
                v.get(appliedRemovalOrder)));
    }

    private static JsonCodec<ClusterRow> cluster() {
        var row = JsonObjectCodec.<ClusterRow>of("cluster", "A cluster as its site's watcher sees it.");
        var site = row.required(
                "site", IdCodecs.SITE, SharedValueCodecs.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                IdCodecs.LABEL,
                "The Cluster object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name",
                IdCodecs.NAME,
                "The Cluster object's name.",
                c -> c.key().name());
        var uid = row.required("uid", ScalarCodecs.TOKEN, "The Cluster object's uid.", ClusterRow::uid);
        var labels = row.defaulted(
                "labels", SharedValueCodecs.LABELS, Labels.NONE, "The Cluster's labels.", ClusterRow::labels);
        var paused = row.required(
                "paused",
                ScalarCodecs.FLAG,
                "Whether Cluster API has paused the cluster: no machine in it starts.",
                ClusterRow::paused);
        var hold = row.required(
                "hold",
                ScalarCodecs.FLAG,
                "Whether annotation flotilla.dev/hold is set: no machine in it starts.",
                ClusterRow::hold);
        var zone = row.optional(
                "timeZone", ScalarCodecs.TOKEN, "The annotation flotilla.dev/time-zone.", ClusterRow::timeZone);
        var controlPlane = row.required(
                "controlPlaneReplicas",
                ScalarCodecs.COUNT,
                "The desired number of control-plane machines.",
                ClusterRow::controlPlaneReplicas);
        var workers = row.required(
                "workerReplicas", ScalarCodecs.COUNT, "The desired number of workers.", ClusterRow::workerReplicas);
        var versionFields = row.<List<VersionField>>omittedIfDefault(
                "versionFields",
                new ListCodec<>(ClusterUpgradeCodecs.FIELD, ClusterRow.MAX_VERSION_FIELDS),
                List.of(),
                "The fields whose change has Cluster API update the cluster's machines in place, if it does.",
                ClusterRow::versionFields);
        return row.build(v -> new ClusterRow(
                new ClusterKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(labels),
                v.get(paused),
                v.get(hold),
                v.get(zone),
                v.get(controlPlane),
                v.get(workers),
                v.get(versionFields)));
    }

    private static JsonCodec<MachineRow.MachineOwner> owner() {
        var owner = JsonObjectCodec.<MachineRow.MachineOwner>of(
                "owner", "The object that owns a machine, in its namespace.");
        var kind = owner.required("kind", IdCodecs.OWNER_KIND, "The Kubernetes kind.", MachineRow.MachineOwner::kind);
        var name = owner.required("name", IdCodecs.NAME, "The object's name.", MachineRow.MachineOwner::name);
        return owner.build(v -> new MachineRow.MachineOwner(v.get(kind), v.get(name)));
    }

    private static JsonCodec<MachineRow> machine() {
        var row = JsonObjectCodec.<MachineRow>of(
                "machine",
                "A machine as its site's watcher sees it. Not authoritative: the worker inspects the node before the call.");
        var key = MachineKeyFields.declare(row, MachineRow::key);
        var uid = row.required("uid", ScalarCodecs.TOKEN, "The Machine object's uid.", MachineRow::uid);
        var cluster = row.required(
                "cluster", IdCodecs.NAME, "The name of its cluster, in the same namespace.", MachineRow::cluster);
        var owner = row.optional("owner", owner(), "The object that owns it.", MachineRow::owner);
        var role = row.required("role", ROLE, "Its role in the cluster.", MachineRow::role);
        var labels = row.omittedIfDefault(
                "labels", SharedValueCodecs.LABELS, Labels.NONE, "The Machine's labels.", MachineRow::labels);
        var node = row.optional("node", ScalarCodecs.TOKEN, "The node's name, once it has one.", MachineRow::node);
        var provider = row.optional(
                "providerId", ScalarCodecs.TOKEN, "The provider's id of the host.", MachineRow::providerId);
        var system = row.optional(
                "systemUuid",
                ScalarCodecs.TOKEN,
                "The node's system UUID; with providerId it shows whether two sites have the same node.",
                MachineRow::systemUuid);
        var ready = row.required("ready", ScalarCodecs.FLAG, "Whether the node is ready.", MachineRow::ready);
        var deleting = row.omittedIfDefault(
                "deleting", ScalarCodecs.FLAG, false, "Whether the Machine is being deleted.", MachineRow::deleting);
        var paused = row.omittedIfDefault(
                "paused", ScalarCodecs.FLAG, false, "Whether Cluster API has paused the machine.", MachineRow::paused);
        var hold = row.omittedIfDefault(
                "hold",
                ScalarCodecs.FLAG,
                false,
                "Whether annotation flotilla.dev/hold is set: the machine does not start.",
                MachineRow::hold);
        var optOut = row.omittedIfDefault(
                "optOut",
                ScalarCodecs.FLAG,
                false,
                "Whether annotation flotilla.dev/opt-out is set: the machine is never upgraded.",
                MachineRow::optOut);
        var release = row.optional(
                "release",
                ScalarCodecs.text(0, MAX_RELEASE),
                "The release annotation: what was applied last; never a proof.",
                MachineRow::release);
        var kubelet = row.optional(
                "kubeletVersion",
                ScalarCodecs.TOKEN,
                "The kubelet version that the node shows.",
                MachineRow::kubeletVersion);
        var revision = row.optional(
                "revision", ScalarCodecs.TOKEN, "The snap revision that the node shows.", MachineRow::revision);
        var architecture = row.required(
                "architecture",
                ScalarCodecs.text(0, ScalarCodecs.MAX_TOKEN),
                "The node's architecture, such as amd64.",
                MachineRow::architecture);
        var foreignActivities = row.<List<ForeignActivity>>omittedIfDefault(
                "foreignActivities",
                new ListCodec<>(
                        EnumCodec.of(ForeignActivity.class, ForeignActivity::label), ForeignActivity.values().length),
                List.of(),
                "What other controllers are doing to it, each activity once.",
                MachineRow::foreignActivities);
        var upgradeProvider = row.omittedIfDefault(
                "provider",
                UpgradeProviderCodecs.PROVIDER,
                UpgradeProvider.K8SD,
                "What upgrades it, as far as the watcher can tell: k8sd, node-upgrade or none. A policy may say"
                        + " otherwise.",
                MachineRow::provider);
        var unappliedFields = row.optional(
                "unappliedFields",
                ScalarCodecs.text(0, MachineRow.MAX_UNAPPLIED_FIELDS),
                "The fields whose change was accepted and not applied: the annotation flotilla.dev/dirty.",
                MachineRow::unappliedFields);
        return row.build(v -> new MachineRow(
                key.read(v),
                v.get(uid),
                v.get(cluster),
                v.get(owner),
                v.get(role),
                v.get(labels),
                v.get(node),
                v.get(provider),
                v.get(system),
                v.get(ready),
                v.get(deleting),
                v.get(paused),
                v.get(hold),
                v.get(optOut),
                v.get(release),
                v.get(kubelet),
                v.get(revision),
                v.get(architecture),
                v.get(foreignActivities),
                v.get(upgradeProvider),
                v.get(unappliedFields)));
    }
}
