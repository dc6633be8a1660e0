package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.plan.ChangedObjects.ObjectEdit;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.RedactedText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the plan of a change: for each owner of machines that it reaches. A pure function of its input. */
public final class InPlacePlanner {

    private final PlanInput input;
    private final ClusterObjects present;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private InPlacePlanner(PlanInput input) {
        this.input = input;
        this.present = new ClusterObjects(input.present());
    }

    /** Makes the plan. */
    public static PlanResult plan(PlanInput input) {
        return new InPlacePlanner(input).plan();
    }

    private PlanResult plan() {
        String cluster = chooseCluster();
        if (cluster == null) {
            return new PlanResult.InvalidInput(problems);
        }
        problems.addAll(ApiVersionCheck.findProblems(input.present(), input.changes()));
        if (!problems.isEmpty()) {
            return new PlanResult.InvalidInput(problems);
        }
        String namespace = cluster.substring(0, cluster.indexOf('/'));
        ChangedObjects objects = new ChangedObjects(present, input.changes(), namespace);
        problems.addAll(objects.problems());
        NamespaceExtension extension = NamespaceExtension.find(present, namespace, input.defaults(), input.live());
        if (extension instanceof NamespaceExtension.Unknown unknown) {
            problems.add(unknown.problem());
        }
        if (!problems.isEmpty()) {
            return new PlanResult.InvalidInput(problems);
        }
        List<OwnerPlan> owners = planOwners(objects, cluster, new MachineJudge(extension));
        noteRest(objects, cluster);
        return problems.isEmpty()
                ? new PlanResult.Planned(new InPlacePlan(cluster, describe(extension), owners, notes))
                : new PlanResult.InvalidInput(problems.stream().distinct().toList());
    }

    private static String describe(NamespaceExtension extension) {
        return switch (extension) {
            case NamespaceExtension.Answering answering -> answering.source();
            case NamespaceExtension.NotRegistered none -> none.reason();
            case NamespaceExtension.Failing failing -> failing.reason();
            case NamespaceExtension.Unknown unknown -> unknown.problem();
        };
    }

    private @Nullable String chooseCluster() {
        TreeSet<String> clusters = new TreeSet<>();
        present.ofKind(ChangedObjects.CLUSTER).forEach(each -> clusters.add(each.namespace() + "/" + each.name()));
        for (KubeObject machine : present.ofKind("Machine")) {
            clusters.add(machine.namespace() + "/" + machine.text("spec", "clusterName"));
        }
        String known = String.join(", ", clusters);
        if (input.cluster() != null) {
            if (!clusters.contains(input.cluster())) {
                problems.add("there is no cluster " + input.cluster()
                        + (known.isEmpty() ? "" : ": the objects have " + known));
                return null;
            }
            return input.cluster();
        }
        if (clusters.size() == 1) {
            return clusters.first();
        }
        problems.add(
                clusters.isEmpty()
                        ? "the files have no Cluster and no Machine: export them with kubectl get"
                                + " clusters,machines,machinesets,machinedeployments,kubeadmcontrolplanes -o yaml"
                        : "the files have " + clusters.size() + " clusters: choose one of " + known
                                + " with --cluster");
        return null;
    }

    /** Several documents of one object, such as a topology and its control plane, make one plan. */
    private List<OwnerPlan> planOwners(ChangedObjects objects, String cluster, MachineJudge judge) {
        Map<String, ObjectEdit> owners = new LinkedHashMap<>();
        for (ObjectEdit edit : objects.edits()) {
            if (edit.before() != null
                    && (edit.kind().equals(ChangedObjects.DEPLOYMENT) || ChangedObjects.isControlPlane(edit.kind()))) {
                owners.put(edit.kind() + "/" + edit.after().name(), edit);
            }
        }
        RolloutTime time = new RolloutTime(input.now());
        List<OwnerPlan> plans = new ArrayList<>();
        for (ObjectEdit edit : owners.values()) {
            KubeObject before = edit.before();
            List<KubeObject> machines = machinesOf(edit.after(), cluster);
            if (before == null || !checkOwner(edit.after(), machines)) {
                continue;
            }
            plans.add(
                    edit.kind().equals(ChangedObjects.DEPLOYMENT)
                            ? new DeploymentPlanner(objects, judge, time, problems).plan(before, edit.after(), machines)
                            : new ControlPlanePlanner(objects, judge, time, problems)
                                    .plan(before, edit.after(), machines));
        }
        return plans;
    }

    private boolean checkOwner(KubeObject owner, List<KubeObject> machines) {
        String name = ClusterObjects.kindOf(owner) + " " + owner.namespace() + "/" + owner.name();
        Long replicas = owner.number("spec", "replicas");
        String wrong = findWrongVersion(owner);
        if (wrong != null) {
            problems.add(
                    name + ": " + wrong + " is no Kubernetes version, and Cluster API rejects it: write it as v1.36.1");
            return false;
        }
        if (machines.isEmpty() && (replicas == null || replicas > 0)) {
            problems.add(name + " has no Machine among the present objects: add the output of kubectl get machines -n "
                    + owner.namespace() + " -o yaml, and check that it is of the planned cluster");
            return false;
        }
        return true;
    }

    /** Returns the version that an owner asks for if it is none; Cluster API adds a missing v itself. */
    private static @Nullable String findWrongVersion(KubeObject owner) {
        for (String[] path : new String[][] {{"spec", "version"}, {"spec", "template", "spec", "version"}}) {
            String version = owner.text(path);
            if (version != null && KubernetesVersion.parse(version) == KubernetesVersion.UNKNOWN) {
                return String.join(".", path) + " '" + RedactedText.redact(version) + "'";
            }
        }
        return null;
    }

    private List<KubeObject> machinesOf(KubeObject owner, String cluster) {
        boolean isDeployment = ClusterObjects.kindOf(owner).equals(ChangedObjects.DEPLOYMENT);
        return present.ofKind("Machine").stream()
                .filter(machine -> cluster.equals(machine.namespace() + "/" + machine.text("spec", "clusterName")))
                .filter(machine -> owner.namespace().equals(machine.namespace()))
                .filter(machine -> isDeployment
                        ? owner.name().equals(machine.label("cluster.x-k8s.io/deployment-name"))
                        : isMember(machine, owner))
                .toList();
    }

    private static boolean isMember(KubeObject machine, KubeObject owner) {
        KubeObject controller = machine.controller();
        String named = machine.label("cluster.x-k8s.io/control-plane-name");
        return machine.labels().has("cluster.x-k8s.io/control-plane")
                && (controller == null
                        ? named == null || named.equals(owner.name())
                        : owner.name().equals(controller.text("name")));
    }

    private void noteRest(ChangedObjects objects, String cluster) {
        String referenced = referencesAfter(objects);
        for (ObjectEdit edit : objects.edits()) {
            KubeObject after = edit.after();
            String name = edit.kind() + " " + after.name();
            if (edit.kind().endsWith("Template")) {
                if (edit.before() != null) {
                    notes.add(name + " is changed under its name: that changes no machine by itself. Machines are only"
                            + " rolled out for a template with a new name that the owner refers to.");
                } else if (!referenced.contains(" " + name + " ")) {
                    notes.add(name + " is new, and no owner refers to it: it changes no machine.");
                }
            }
        }
        KubeObject object = present.find(
                ChangedObjects.CLUSTER,
                cluster.substring(0, cluster.indexOf('/')),
                cluster.substring(cluster.indexOf('/') + 1));
        if (object != null && (object.bool("spec", "paused") || object.annotation("cluster.x-k8s.io/paused") != null)) {
            notes.add("Cluster " + cluster + " is paused: nothing begins until it is not.");
        }
        notes.add(
                "Cluster API asks an extension only with the feature gates RuntimeSDK and InPlaceUpdates of its core and its"
                        + " control-plane manager. They cannot be read here; without them it replaces every machine named above.");
    }

    private static String referencesAfter(ChangedObjects objects) {
        StringBuilder names = new StringBuilder(" ");
        for (KubeObject each : objects.after().all()) {
            for (String[] path : new String[][] {
                {"spec", "template", "spec", "bootstrap", "configRef"},
                {"spec", "template", "spec", "infrastructureRef"},
                {"spec", "machineTemplate", "spec", "infrastructureRef"}
            }) {
                KubeObject reference = each.object(path);
                names.append(reference.text("kind"))
                        .append(' ')
                        .append(reference.text("name"))
                        .append(' ');
            }
        }
        return names.toString();
    }
}
