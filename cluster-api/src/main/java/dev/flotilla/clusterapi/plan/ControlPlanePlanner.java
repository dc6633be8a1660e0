package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.plan.ChangedObjects.ObjectEdit;
import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.OwnerRolloutSettings;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.kube.AnnotationKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans the machines of a control plane, as the kubeadm control-plane manager decides. */
final class ControlPlanePlanner {
    private static final String SPEC = "spec";
    private static final List<String> MARKS =
            List.of("cluster.x-k8s.io/delete-machine", "cluster.x-k8s.io/remediate-machine");

    private final ChangedObjects objects;
    private final MachineJudge judge;
    private final RolloutTime time;
    private final List<String> problems;

    ControlPlanePlanner(ChangedObjects objects, MachineJudge judge, RolloutTime time, List<String> problems) {
        this.objects = objects;
        this.judge = judge;
        this.time = time;
        this.problems = problems;
    }

    OwnerPlan plan(KubeObject before, KubeObject after, List<KubeObject> machines) {
        String owner = ClusterObjects.kindOf(after) + "/" + after.name();
        if (!ClusterObjects.kindOf(after).equals(OwnerRolloutSettings.KUBEADM_CONTROL_PLANE)) {
            return planOther(new ObjectEdit(before, after), owner, machines);
        }
        int replicas = replicasOf(after, machines);
        boolean surges = new OwnerRolloutSettings(after).surges();
        if (!surges && replicas < OwnerRolloutSettings.MIN_MEMBERS) {
            problems.add(owner + " has maxSurge 0 and " + replicas + " replicas, which Cluster API rejects: it needs "
                    + OwnerRolloutSettings.MIN_MEMBERS);
        }
        List<MachinePlan> plans = new ArrayList<>();
        for (KubeObject machine : machines) {
            MachinePlan plan = planMachine(before, after, machine, owner, replicas);
            if (plan != null) {
                plans.add(plan);
            }
        }
        OwnerPlan all = new OwnerPlan(owner, plans, machines.size() - plans.size(), 0, List.of());
        List<String> notes = new ArrayList<>();
        boolean replacesOne = surges && all.inPlace() > 0 && all.replaced() == 0;
        if (replacesOne) {
            notes.add(
                    "maxSurge 1, the default, makes one new machine first, and deletes the last old one: which is not"
                            + " known. With spec.rollout.strategy.rollingUpdate.maxSurge 0, for 3 or more replicas, all are kept.");
        }
        if (surges && all.held() > 0) {
            notes.add(
                    "With maxSurge 1 Cluster API makes one new machine before it asks, and keeps it while the others are"
                            + " held.");
        }
        return new OwnerPlan(owner, plans, all.unaffected(), replacesOne ? 1 : 0, notes);
    }

    private static int replicasOf(KubeObject owner, List<KubeObject> machines) {
        Long replicas = new OwnerRolloutSettings(owner).replicas();
        return replicas == null ? machines.size() : replicas.intValue();
    }

    private @Nullable MachinePlan planMachine(
            KubeObject before, KubeObject after, KubeObject machine, String owner, int replicas) {
        String due = time.findReason(after, machine, machine);
        KubeObject request = buildRequest(before, after, machine);
        if (due == null && !isChanged(request, before, after, machine)) {
            return null;
        }
        String notAsked = findReasonNotToAsk(machine, replicas);
        if (due != null || notAsked != null) {
            return MachineJudge.plan(
                    machine, owner, MachineFate.REPLACED, notAsked == null ? String.valueOf(due) : notAsked);
        }
        return judge.judge(machine, owner, request, HookObject.OF_MACHINE);
    }

    private static @Nullable String findReasonNotToAsk(KubeObject machine, int replicas) {
        if (replicas == 1) {
            return "a control plane of one is always replaced: Cluster API does not ask the extension. An UpgradeTask"
                    + " upgrades it in place (docs/upgrade-task.md)";
        }
        for (String mark : MARKS) {
            if (machine.annotation(mark) != null) {
                return "it has the annotation " + mark;
            }
        }
        return machine.isDeleting() ? "it is being deleted" : null;
    }

    private boolean isChanged(KubeObject request, KubeObject before, KubeObject after, KubeObject machine) {
        if (!String.valueOf(machine.text(SPEC, "version")).equals(String.valueOf(after.text(SPEC, "version")))) {
            return true;
        }
        String template = templateNameOf(before, machine);
        return !template.equals(String.valueOf(infrastructureRefOf(after).text("name")))
                || !textOf(request, "current").equals(textOf(request, "desired"));
    }

    private static String textOf(KubeObject request, String part) {
        return Requests.sortedText(
                request.object(part, HookObject.BOOTSTRAP_CONFIG.field()).json());
    }

    private String templateNameOf(KubeObject before, KubeObject machine) {
        KubeObject live = findInfrastructure(machine);
        String cloned = live == null ? null : live.annotation("cluster.x-k8s.io/cloned-from-name");
        return cloned == null ? String.valueOf(infrastructureRefOf(before).text("name")) : cloned;
    }

    private @Nullable KubeObject findInfrastructure(KubeObject machine) {
        return objects.before().find(machine.object(SPEC, "infrastructureRef"), machine.namespace());
    }

    private static KubeObject infrastructureRefOf(KubeObject owner) {
        return owner.object(SPEC, "machineTemplate", SPEC, "infrastructureRef");
    }

    /** Builds the request that the manager would send for the machine. */
    KubeObject buildRequest(KubeObject before, KubeObject after, KubeObject machine) {
        String version = after.text(SPEC, "version");
        JsonObjectReader desired =
                version == null ? machine.json() : JsonEdits.put(machine.json(), version, SPEC, "version");
        return Requests.of(
                HookObject.OF_MACHINE,
                List.of(machine.json(), currentInfrastructure(before, machine), currentBootstrap(before, machine)),
                List.of(
                        desired,
                        desiredInfrastructure(before, after, machine),
                        Requests.object(
                                "KubeadmConfig",
                                KubeadmConfigSpec.ofOwner(
                                        after.object(SPEC, "kubeadmConfigSpec").json(), version))));
    }

    /** What an up-to-date machine was made of is the owner's own spec. Any other machine is judged by its own object. */
    private JsonObjectReader currentBootstrap(KubeObject before, KubeObject machine) {
        KubeObject own = objects.before().find(machine.object(SPEC, "bootstrap", "configRef"), machine.namespace());
        String version = machine.text(SPEC, "version");
        boolean upToDate = machine.isCondition("UpToDate", "True")
                || (machine.condition("UpToDate") == null
                        && String.valueOf(version).equals(before.text(SPEC, "version")));
        return Requests.object(
                "KubeadmConfig",
                upToDate || own == null
                        ? KubeadmConfigSpec.ofOwner(
                                before.object(SPEC, "kubeadmConfigSpec").json(), version)
                        : KubeadmConfigSpec.normalize(own.object(SPEC).json()));
    }

    private JsonObjectReader currentInfrastructure(KubeObject before, KubeObject machine) {
        KubeObject live = findInfrastructure(machine);
        if (live != null) {
            return live.json();
        }
        String kind = String.valueOf(machine.text(SPEC, "infrastructureRef", "kind"));
        return Requests.object(kind, specOf(objects.before().find(infrastructureRefOf(before), machine.namespace())));
    }

    /** The manager applies the template to the machine's object, which keeps fields of others. */
    private JsonObjectReader desiredInfrastructure(KubeObject before, KubeObject after, KubeObject machine) {
        JsonObjectReader current = currentInfrastructure(before, machine);
        KubeObject template = objects.after().find(infrastructureRefOf(after), machine.namespace());
        if (template == null) {
            if (!String.valueOf(infrastructureRefOf(after).text("name")).equals(templateNameOf(before, machine))) {
                problems.add(Requests.missing(infrastructureRefOf(after), machine.namespace()));
            }
            return current;
        }
        KubeObject old = objects.before()
                .find(infrastructureRefOf(before).text("kind"), machine.namespace(), templateNameOf(before, machine));
        JsonObjectReader spec = new KubeObject(current).object(SPEC).json();
        JsonObjectReader kept = old == null ? spec : JsonEdits.removeDropped(spec, specOf(old), specOf(template));
        return JsonEdits.put(current, JsonEdits.merge(kept, specOf(template)), SPEC);
    }

    private static JsonObjectReader specOf(@Nullable KubeObject template) {
        return template == null
                ? KubeObject.EMPTY.json()
                : template.object(SPEC, "template", SPEC).json();
    }

    /** Plans a control plane of another provider, which does not ask an extension. */
    private OwnerPlan planOther(ObjectEdit edit, String owner, List<KubeObject> machines) {
        if (edit.before() == null || comparedSpec(edit.before()).equals(comparedSpec(edit.after()))) {
            return new OwnerPlan(owner, List.of(), machines.size(), 0, List.of());
        }
        String kind = edit.kind();
        String way = kind.equals("CK8sControlPlane")
                ? "annotate the machines with " + AnnotationKeys.UPGRADE_TO + " (docs/how-to-upgrade-in-place.md)"
                : "use an UpgradeTask (docs/upgrade-task.md)";
        return new OwnerPlan(
                owner,
                machines.stream()
                        .map(machine -> MachineJudge.plan(
                                machine,
                                owner,
                                MachineFate.REPLACED,
                                "a " + kind + " does not ask an extension. To upgrade in place, " + way))
                        .toList(),
                0,
                0,
                List.of());
    }

    private static String comparedSpec(KubeObject owner) {
        JsonObjectReader spec = JsonEdits.remove(owner.object(SPEC).json(), "replicas");
        return Requests.sortedText(JsonEdits.remove(spec, "machineTemplate", "metadata"));
    }
}
