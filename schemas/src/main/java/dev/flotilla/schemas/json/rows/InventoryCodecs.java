package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Activity;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;

/** What watchers tell of their sites. */
public final class InventoryCodecs {
    static final Codec<Role> ROLE = Choice.of(Role.class, Role::label);

    private static final int MAX_RELEASE = 4096;
    private static final int MAX_DOUBT = 1024;

    public static final Codec<Heartbeat> HEARTBEAT = heartbeat();
    public static final Codec<ClusterRow> CLUSTER = cluster();
    public static final Codec<MachineRow> MACHINE = machine();

    private InventoryCodecs() {}

    private static Codec<Heartbeat> heartbeat() {
        var row = RecordCodec.<Heartbeat>of("heartbeat", "A watcher's word that its site is being watched.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, Heartbeat::site);
        var uid = row.required(
                "managementUid",
                Scalars.TOKEN,
                "The uid of the management cluster's kube-system namespace: which cluster the site really is.",
                Heartbeat::managementUid);
        var watcher = row.required("watcher", Scalars.TOKEN, "Which watcher says so.", Heartbeat::watcher);
        var time = row.required("time", Scalars.INSTANT, "When it said so, by its own clock.", Heartbeat::time);
        var missing = row.defaulted(
                "missing",
                Scalars.COUNT,
                0,
                "Machines that vanished at once and whose tombstones the watcher holds back until the removal is"
                        + " accepted.",
                Heartbeat::missing);
        var mode = row.optional(
                "mode",
                Choice.of(SiteMode.class, SiteMode::label),
                "Who acts on the provider's annotations in this site, and so where people's wishes are read.",
                Heartbeat::mode);
        var doubt = row.optional(
                "doubt", Scalars.text(0, MAX_DOUBT), "What speaks against that mode, if anything.", Heartbeat::doubt);
        var followed = row.optional(
                "followedRemoval",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The id of the last order to accept a mass removal that was followed.",
                Heartbeat::followedRemoval);
        return row.build(v -> new Heartbeat(
                v.get(site),
                v.get(uid),
                v.get(watcher),
                v.get(time),
                v.get(missing),
                v.get(mode),
                v.get(doubt),
                v.get(followed)));
    }

    private static Codec<ClusterRow> cluster() {
        var row = RecordCodec.<ClusterRow>of("cluster", "A cluster as its site's watcher sees it.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, c -> c.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Cluster object's namespace.",
                c -> c.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Cluster object's name.", c -> c.key().name());
        var uid = row.required("uid", Scalars.TOKEN, "The Cluster object's uid.", ClusterRow::uid);
        var labels = row.defaulted("labels", Parts.LABELS, Labels.NONE, "The Cluster's labels.", ClusterRow::labels);
        var paused = row.required(
                "paused", Scalars.FLAG, "Cluster API's own pause: nothing is started in it.", ClusterRow::paused);
        var hold = row.required("hold", Scalars.FLAG, "The annotation flotilla.dev/hold: not now.", ClusterRow::hold);
        var zone =
                row.optional("timeZone", Scalars.TOKEN, "The annotation flotilla.dev/time-zone.", ClusterRow::timeZone);
        var controlPlane = row.required(
                "controlPlaneReplicas",
                Scalars.COUNT,
                "How many control-plane machines it is meant to have.",
                ClusterRow::controlPlaneReplicas);
        var workers = row.required(
                "workerReplicas", Scalars.COUNT, "How many workers it is meant to have.", ClusterRow::workerReplicas);
        return row.build(v -> new ClusterRow(
                new ClusterKey(v.get(site), v.get(namespace), v.get(name)),
                v.get(uid),
                v.get(labels),
                v.get(paused),
                v.get(hold),
                v.get(zone),
                v.get(controlPlane),
                v.get(workers)));
    }

    private static Codec<MachineRow.Owner> owner() {
        var owner = RecordCodec.<MachineRow.Owner>of("owner", "The object that owns a machine, in its namespace.");
        var kind = owner.required("kind", Ids.OWNER_KIND, "The Kubernetes kind.", MachineRow.Owner::kind);
        var name = owner.required("name", Ids.NAME, "The object's name.", MachineRow.Owner::name);
        return owner.build(v -> new MachineRow.Owner(v.get(kind), v.get(name)));
    }

    private static Codec<MachineRow> machine() {
        var row = RecordCodec.<MachineRow>of(
                "machine",
                "A machine as its site's watcher sees it. A hint: the worker reads the node itself before it calls.");
        var site = row.required("site", Ids.SITE, Parts.SITE_TEXT, m -> m.key().site());
        var namespace = row.required(
                "namespace",
                Ids.LABEL,
                "The Machine object's namespace.",
                m -> m.key().namespace());
        var name = row.required(
                "name", Ids.NAME, "The Machine object's name.", m -> m.key().name());
        var uid = row.required("uid", Scalars.TOKEN, "The Machine object's uid: which machine it is.", MachineRow::uid);
        var cluster = row.required(
                "cluster", Ids.NAME, "The name of its cluster, in the same namespace.", MachineRow::cluster);
        var owner = row.optional("owner", owner(), "The object that owns it.", MachineRow::owner);
        var role = row.required("role", ROLE, "What it is to its cluster.", MachineRow::role);
        var labels = row.usual("labels", Parts.LABELS, Labels.NONE, "The Machine's labels.", MachineRow::labels);
        var node = row.optional("node", Scalars.TOKEN, "The node's name, once it has one.", MachineRow::node);
        var provider =
                row.optional("providerId", Scalars.TOKEN, "The provider's id of the host.", MachineRow::providerId);
        var system = row.optional(
                "systemUuid",
                Scalars.TOKEN,
                "The node's system UUID; with providerId it tells whether two sites see one node.",
                MachineRow::systemUuid);
        var ready = row.required("ready", Scalars.FLAG, "Whether the node is ready.", MachineRow::ready);
        var deleting = row.usual(
                "deleting", Scalars.FLAG, false, "Whether the Machine is being deleted.", MachineRow::deleting);
        var paused = row.usual("paused", Scalars.FLAG, false, "Cluster API's own pause.", MachineRow::paused);
        var hold =
                row.usual("hold", Scalars.FLAG, false, "The annotation flotilla.dev/hold: not now.", MachineRow::hold);
        var optOut = row.usual(
                "optOut", Scalars.FLAG, false, "The annotation flotilla.dev/opt-out: never.", MachineRow::optOut);
        var release = row.optional(
                "release",
                Scalars.text(0, MAX_RELEASE),
                "The release annotation: a record of what somebody applied, never a proof.",
                MachineRow::release);
        var kubelet = row.optional(
                "kubeletVersion",
                Scalars.TOKEN,
                "The kubelet's version that the node shows.",
                MachineRow::kubeletVersion);
        var revision = row.optional(
                "revision", Scalars.TOKEN, "The snap revision that the node shows of itself.", MachineRow::revision);
        var architecture = row.required(
                "architecture",
                Scalars.text(0, Scalars.MAX_TOKEN),
                "The node's architecture, such as amd64.",
                MachineRow::architecture);
        var activities = row.<List<Activity>>usual(
                "activities",
                new Lists<>(Choice.of(Activity.class, Activity::label), Activity.values().length),
                List.of(),
                "What others are doing to it just now, each once.",
                MachineRow::activities);
        return row.build(v -> new MachineRow(
                new MachineKey(v.get(site), v.get(namespace), v.get(name)),
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
                v.get(activities)));
    }
}
