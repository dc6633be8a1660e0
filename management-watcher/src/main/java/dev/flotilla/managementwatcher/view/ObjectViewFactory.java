package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is kept of each object, in whatever version it is served. Used by one thread. */
public final class ObjectViewFactory {
    private static final String NO_ARCHITECTURE = "";
    private static final List<String> NODE_IS_READY = List.of("NodeReady", "NodeHealthy", "Ready");

    private final SiteId site;
    private final ValueInterner valueInterner = new ValueInterner();

    public ObjectViewFactory(SiteId site) {
        this.site = site;
    }

    /** Of a Cluster. */
    public ClusterView clusterView(KubeObject object) {
        return new ClusterView(
                new ClusterKey(site, valueInterner.intern(object.namespace()), object.name()),
                object.uid(),
                parseVersion(object),
                labels(object),
                object.isDeleting(),
                object.bool("spec", "paused") || object.annotation(WatcherAnnotationKeys.PAUSED) != null,
                object.annotation(WatcherAnnotationKeys.HOLD) != null,
                valueInterner.internNullable(given(object, "metadata", "annotations", WatcherAnnotationKeys.TIME_ZONE)),
                notes(object));
    }

    /** Of an object that owns machines. */
    public OwnerView ownerView(OwnerKind kind, KubeObject object) {
        String cluster = object.text("spec", "clusterName");
        String label = object.label(WatcherAnnotationKeys.CLUSTER_NAME);
        int replicas = count(object.number("spec", "replicas"));
        return new OwnerView(
                new OwnerKey(site, kind, valueInterner.intern(object.namespace()), object.name()),
                object.uid(),
                parseVersion(object),
                valueInterner.intern(cluster != null ? cluster : label != null ? label : ""),
                kind != OwnerKind.MACHINE_SET || object.label(WatcherAnnotationKeys.DEPLOYMENT_NAME) == null,
                replicas,
                object.annotation(WatcherAnnotationKeys.PAUSED) != null || object.bool("spec", "paused"),
                object.annotation(WatcherAnnotationKeys.HOLD) != null,
                doing(object, replicas),
                notes(object));
    }

    private OwnerView.OwnerActivity doing(KubeObject owner, int replicas) {
        Long current = owner.number("status", "upToDateReplicas");
        Long updated = current == null ? owner.number("status", "updatedReplicas") : current;
        boolean wanted = owner.number("spec", "replicas") != null;
        return valueInterner.intern(new OwnerView.OwnerActivity(
                is(owner, "RollingOut") || (wanted && updated != null && updated < replicas),
                is(owner, "ScalingUp")
                        || is(owner, "ScalingDown")
                        || (wanted && count(owner.number("status", "replicas")) != replicas),
                is(owner, "Remediating")));
    }

    /** Of a Machine. */
    public MachineView machineView(KubeObject object) {
        String name = object.name();
        String node = given(object, "status", "nodeRef", "name");
        String architecture = given(object, "status", "nodeInfo", "architecture");
        String cluster = object.text("spec", "clusterName");
        return new MachineView(
                new MachineKey(site, valueInterner.intern(object.namespace()), name),
                object.uid(),
                parseVersion(object),
                valueInterner.intern(cluster == null ? "" : cluster),
                valueInterner.internNullable(ownerOf(object)),
                object.label(WatcherAnnotationKeys.CONTROL_PLANE) == null
                        ? MachineRole.WORKER
                        : MachineRole.CONTROL_PLANE,
                labels(object),
                name.equals(node) ? name : node,
                given(object, "spec", "providerID"),
                given(object, "status", "nodeInfo", "systemUUID"),
                isReady(object),
                object.isDeleting(),
                object.annotation(WatcherAnnotationKeys.PAUSED) != null,
                object.annotation(WatcherAnnotationKeys.HOLD) != null,
                object.annotation(WatcherAnnotationKeys.OPT_OUT) != null,
                valueInterner.internNullable(given(object, "status", "nodeInfo", "kubeletVersion")),
                valueInterner.intern(architecture == null ? NO_ARCHITECTURE : architecture),
                valueInterner.intern(activities(object)),
                notes(object));
    }

    /** A text that says something: Cluster API writes an empty string for what nobody has reported. Null for none. */
    private static @Nullable String given(KubeObject object, String... path) {
        String text = object.text(path);
        return text == null || text.isEmpty() ? null : text;
    }

    /** A worker's MachineSet comes and goes with its deployment's revisions: it is the deployment that owns it. */
    private static MachineRow.@Nullable MachineOwner ownerOf(KubeObject machine) {
        String deployment = machine.label(WatcherAnnotationKeys.DEPLOYMENT_NAME);
        if (deployment != null) {
            return new MachineRow.MachineOwner(OwnerKind.MACHINE_DEPLOYMENT, deployment);
        }
        KubeObject owner = machine.controller();
        String name = owner == null ? null : owner.text("name");
        for (OwnerKind kind : OwnerKind.values()) {
            if (owner != null && name != null && kind.label().equals(owner.text("kind"))) {
                return new MachineRow.MachineOwner(kind, name);
            }
        }
        return null;
    }

    /** The node's word where there is one; older versions say it under another name, and of the Machine as a whole. */
    private static boolean isReady(KubeObject machine) {
        for (String type : NODE_IS_READY) {
            KubeObject condition = machine.condition(type);
            if (condition != null) {
                return "True".equals(condition.text("status"));
            }
        }
        return false;
    }

    private static List<ForeignActivity> activities(KubeObject machine) {
        List<ForeignActivity> activities = new ArrayList<>();
        if (machine.annotation(WatcherAnnotationKeys.DELETE_MACHINE) != null) {
            activities.add(ForeignActivity.SCALING);
        }
        if (machine.annotation(WatcherAnnotationKeys.REMEDIATE_MACHINE) != null
                || machine.isCondition("OwnerRemediated", "False")) {
            activities.add(ForeignActivity.REMEDIATION);
        }
        if (machine.annotation(WatcherAnnotationKeys.REFRESH_CERTIFICATES) != null) {
            activities.add(ForeignActivity.CERTIFICATES);
        }
        if (machine.annotation(WatcherAnnotationKeys.UPDATE_IN_PROGRESS) != null) {
            activities.add(ForeignActivity.FOREIGN);
        }
        return List.copyOf(activities);
    }

    private static boolean is(KubeObject object, String condition) {
        return object.isCondition(condition, "True");
    }

    private static int count(@Nullable Long number) {
        return number == null ? 0 : Math.clamp(number, 0, Integer.MAX_VALUE);
    }

    private ObjectAnnotations notes(KubeObject object) {
        ObjectAnnotations objectAnnotations = ObjectAnnotations.readFrom(object);
        return objectAnnotations.equals(ObjectAnnotations.NONE)
                ? ObjectAnnotations.NONE
                : valueInterner.intern(objectAnnotations);
    }

    private Labels labels(KubeObject object) {
        KubeObject labels = object.labels();
        SortedMap<String, String> values = new TreeMap<>();
        for (int i = 0; i < labels.json().size(); i++) {
            String name = labels.json().name(i);
            String value = labels.text(name);
            if (value != null) {
                values.put(valueInterner.intern(name), valueInterner.intern(value));
            }
        }
        return values.isEmpty() ? Labels.NONE : valueInterner.intern(new Labels(values));
    }

    private static long parseVersion(KubeObject object) {
        return parseVersion(object.resourceVersion());
    }

    /** Versions are compared, as Kubernetes says that they may be; one that is no number is before all others. */
    public static long parseVersion(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
