package dev.flotilla.managementwatcher.view;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Creates the views of objects, in whatever API version they are served. Used by one thread. */
public final class ObjectViewFactory {
    private static final String UNKNOWN_ARCHITECTURE = "";
    private static final List<String> READY_CONDITIONS = List.of("NodeReady", "NodeHealthy", "Ready");

    private final SiteId site;
    private final ValueInterner valueInterner = new ValueInterner();

    public ObjectViewFactory(SiteId site) {
        this.site = site;
    }

    /** Creates the view of a Cluster. */
    public ClusterView clusterView(KubeObject object) {
        return new ClusterView(
                new ClusterKey(site, valueInterner.intern(object.namespace()), object.name()),
                object.uid(),
                parseVersion(object),
                readLabels(object),
                object.isDeleting(),
                object.bool("spec", "paused") || object.annotation(AnnotationKeys.PAUSED) != null,
                object.annotation(AnnotationKeys.HOLD) != null,
                valueInterner.internNullable(textOrNull(object, "metadata", "annotations", AnnotationKeys.TIME_ZONE)),
                readAnnotations(object));
    }

    /** Creates the view of an object that owns machines. */
    public OwnerView ownerView(OwnerKind kind, KubeObject object) {
        String cluster = object.text("spec", "clusterName");
        String label = object.label(LabelKeys.CLUSTER_NAME);
        int replicas = toCount(object.number("spec", "replicas"));
        return new OwnerView(
                new OwnerKey(site, kind, valueInterner.intern(object.namespace()), object.name()),
                object.uid(),
                parseVersion(object),
                valueInterner.intern(cluster != null ? cluster : label != null ? label : ""),
                kind != OwnerKind.MACHINE_SET || object.label(LabelKeys.DEPLOYMENT_NAME) == null,
                replicas,
                object.annotation(AnnotationKeys.PAUSED) != null || object.bool("spec", "paused"),
                object.annotation(AnnotationKeys.HOLD) != null,
                readOwnerActivity(object, replicas),
                MachineProviderReader.readProviderOfTemplate(object),
                readAnnotations(object));
    }

    private OwnerView.OwnerActivity readOwnerActivity(KubeObject owner, int replicas) {
        Long upToDate = owner.number("status", "upToDateReplicas");
        Long updated = upToDate == null ? owner.number("status", "updatedReplicas") : upToDate;
        boolean hasReplicas = owner.number("spec", "replicas") != null;
        int present = toCount(owner.number("status", "replicas"));
        return valueInterner.intern(new OwnerView.OwnerActivity(
                hasCondition(owner, "RollingOut") || (hasReplicas && updated != null && updated < replicas),
                hasCondition(owner, "ScalingUp") || (hasReplicas && present < replicas),
                hasCondition(owner, "ScalingDown") || (hasReplicas && present > replicas),
                hasCondition(owner, "Remediating")));
    }

    /** Creates the view of an UpgradeTask. */
    public UpgradeTaskView upgradeTaskView(KubeObject object) {
        Instant createdAt = object.instant("metadata", "creationTimestamp");
        Long generation = object.number("metadata", "generation");
        return new UpgradeTaskView(
                new NamespacedName(valueInterner.intern(object.namespace()), object.name()),
                object.uid(),
                parseVersion(object),
                generation == null ? 0 : generation,
                createdAt == null ? Instant.EPOCH : createdAt,
                object.isDeleting(),
                object.texts("metadata", "finalizers"),
                UpgradeTaskSpecReader.readSpec(object),
                UpgradeTaskStatusReader.readStatus(object));
    }

    /** Creates the view of a Machine. */
    public MachineView machineView(KubeObject object) {
        String name = object.name();
        String node = textOrNull(object, "status", "nodeRef", "name");
        String architecture = textOrNull(object, "status", "nodeInfo", "architecture");
        String cluster = object.text("spec", "clusterName");
        return new MachineView(
                new MachineKey(site, valueInterner.intern(object.namespace()), name),
                object.uid(),
                parseVersion(object),
                valueInterner.intern(cluster == null ? "" : cluster),
                valueInterner.internNullable(findOwner(object)),
                object.label(LabelKeys.CONTROL_PLANE) == null ? MachineRole.WORKER : MachineRole.CONTROL_PLANE,
                readLabels(object),
                name.equals(node) ? name : node,
                textOrNull(object, "spec", "providerID"),
                textOrNull(object, "status", "nodeInfo", "systemUUID"),
                isReady(object),
                object.isDeleting(),
                object.annotation(AnnotationKeys.PAUSED) != null,
                object.annotation(AnnotationKeys.HOLD) != null,
                object.annotation(AnnotationKeys.OPT_OUT) != null,
                valueInterner.internNullable(textOrNull(object, "status", "nodeInfo", "kubeletVersion")),
                valueInterner.intern(architecture == null ? UNKNOWN_ARCHITECTURE : architecture),
                valueInterner.intern(findActivities(object)),
                MachineProviderReader.readProvider(object),
                MachineTaskAnnotations.readFrom(object),
                readAnnotations(object));
    }

    /**
     * Returns the text at a path; null if it is missing or empty. Cluster API writes an empty string for a value that
     * was not reported.
     */
    private static @Nullable String textOrNull(KubeObject object, String... path) {
        String text = object.text(path);
        return text == null || text.isEmpty() ? null : text;
    }

    /**
     * Finds the owner of a machine. A MachineSet of a MachineDeployment does not count: it is replaced with each
     * revision of its deployment, so the deployment is the owner.
     */
    private static MachineRow.@Nullable MachineOwner findOwner(KubeObject machine) {
        String deployment = machine.label(LabelKeys.DEPLOYMENT_NAME);
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

    /**
     * Whether the node is ready. Older versions of Cluster API name the condition differently, and the oldest only has
     * one for the whole Machine.
     */
    private static boolean isReady(KubeObject machine) {
        for (String type : READY_CONDITIONS) {
            KubeObject condition = machine.condition(type);
            if (condition != null) {
                return "True".equals(condition.text("status"));
            }
        }
        return false;
    }

    private static List<ForeignActivity> findActivities(KubeObject machine) {
        List<ForeignActivity> activities = new ArrayList<>();
        if (machine.annotation(AnnotationKeys.DELETE_MACHINE) != null) {
            activities.add(ForeignActivity.SCALING);
        }
        if (machine.annotation(AnnotationKeys.REMEDIATE_MACHINE) != null
                || machine.isCondition("OwnerRemediated", "False")) {
            activities.add(ForeignActivity.REMEDIATION);
        }
        if (machine.annotation(AnnotationKeys.REFRESH_CERTIFICATES) != null) {
            activities.add(ForeignActivity.CERTIFICATES);
        }
        return List.copyOf(activities);
    }

    private static boolean hasCondition(KubeObject object, String condition) {
        return object.isCondition(condition, "True");
    }

    private static int toCount(@Nullable Long number) {
        return number == null ? 0 : Math.clamp(number, 0, Integer.MAX_VALUE);
    }

    private ObjectAnnotations readAnnotations(KubeObject object) {
        ObjectAnnotations objectAnnotations = ObjectAnnotations.readFrom(object);
        return objectAnnotations.equals(ObjectAnnotations.NONE)
                ? ObjectAnnotations.NONE
                : valueInterner.intern(objectAnnotations);
    }

    private Labels readLabels(KubeObject object) {
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

    /**
     * Parses a resource version, which Kubernetes allows to compare as a number. Anything else counts as the oldest
     * version.
     */
    public static long parseVersion(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
