package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.HookObject;
import dev.flotilla.clusterapi.plan.MachinePlan.MachineFate;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.OwnerRolloutSettings;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans the machines of a MachineDeployment, as the core manager decides: for each of its MachineSets. */
final class DeploymentPlanner {
    private static final String SPEC = "spec";
    private static final String TEMPLATE = "template";
    private static final String MAX_UNAVAILABLE = "maxUnavailable";
    private static final int PERCENT = 100;

    private final ChangedObjects objects;
    private final MachineJudge judge;
    private final RolloutTime time;
    private final List<String> problems;

    DeploymentPlanner(ChangedObjects objects, MachineJudge judge, RolloutTime time, List<String> problems) {
        this.objects = objects;
        this.judge = judge;
        this.time = time;
        this.problems = problems;
    }

    OwnerPlan plan(KubeObject before, KubeObject after, List<KubeObject> machines) {
        String owner = "MachineDeployment/" + after.name();
        List<MachinePlan> plans = new ArrayList<>();
        for (KubeObject machine : machines) {
            MachinePlan plan = planMachine(machineSetOf(machine, before), after, machine, owner);
            if (plan != null) {
                plans.add(plan);
            }
        }
        OwnerPlan all = new OwnerPlan(owner, plans, machines.size() - plans.size(), 0, List.of());
        boolean surges = all.inPlace() > 0 && all.replaced() == 0 && maxUnavailable(after, machines.size()) == 0;
        List<String> notes = new ArrayList<>();
        if (surges) {
            notes.add(
                    "maxUnavailable 0, the default, makes one new machine first, and one old one is deleted: which is not"
                            + " known. With spec.rollout.strategy.rollingUpdate.maxUnavailable 1 and maxSurge 0 all are kept.");
        }
        if (after.bool(SPEC, "paused")) {
            notes.add("spec.paused is set: nothing begins until it is removed.");
        }
        return new OwnerPlan(owner, plans, all.unaffected(), surges ? 1 : 0, notes);
    }

    /** Returns the MachineSet of a machine, or what the deployment would have made of its template. */
    private KubeObject machineSetOf(KubeObject machine, KubeObject before) {
        KubeObject controller = machine.controller();
        KubeObject found = controller == null ? null : objects.before().find(controller, machine.namespace());
        return found != null && ClusterObjects.kindOf(found).equals("MachineSet")
                ? found
                : new KubeObject(
                        before.json().toBuilder().put("kind", "MachineSet").build());
    }

    private @Nullable MachinePlan planMachine(KubeObject set, KubeObject after, KubeObject machine, String owner) {
        String due = time.findReason(after, set, machine);
        if (due == null && !isChanged(set, after)) {
            return null;
        }
        KubeObject request = buildRequest(set, after, machine.namespace());
        String notAsked = findReasonNotToAsk(after, machine);
        return due != null || notAsked != null
                ? MachineJudge.plan(
                        machine, owner, MachineFate.REPLACED, notAsked == null ? String.valueOf(due) : notAsked)
                : judge.judge(machine, owner, request, HookObject.OF_MACHINE_SET);
    }

    private static @Nullable String findReasonNotToAsk(KubeObject after, KubeObject machine) {
        if (new OwnerRolloutSettings(after).isOnDelete()) {
            return "the strategy OnDelete replaces a machine when somebody deletes it, and never updates it in place: set"
                    + " spec.rollout.strategy.type RollingUpdate first";
        }
        if (machine.isDeleting()) {
            return "it is being deleted";
        }
        return machine.annotation("cluster.x-k8s.io/remediate-machine") == null
                ? null
                : "it has the annotation cluster.x-k8s.io/remediate-machine";
    }

    /** Compares what makes a new MachineSet; other fields are changed in place without a rollout. */
    private static boolean isChanged(KubeObject set, KubeObject after) {
        KubeObject from = set.object(SPEC, TEMPLATE, SPEC);
        KubeObject to = after.object(SPEC, TEMPLATE, SPEC);
        for (String[] path : new String[][] {
            {"version"},
            {"failureDomain"},
            {"bootstrap", "configRef", "kind"},
            {"bootstrap", "configRef", "name"},
            {"bootstrap", "dataSecretName"},
            {"infrastructureRef", "kind"},
            {"infrastructureRef", "name"}
        }) {
            if (!String.valueOf(from.text(path)).equals(String.valueOf(to.text(path)))) {
                return true;
            }
        }
        return false;
    }

    /** Builds the request that the manager would send for a MachineSet. */
    KubeObject buildRequest(KubeObject set, KubeObject after, String namespace) {
        KubeObject from = set.object(SPEC, TEMPLATE, SPEC);
        KubeObject to = after.object(SPEC, TEMPLATE, SPEC);
        JsonObjectReader desired = JsonEdits.put(
                JsonEdits.put(KubeObject.EMPTY.json(), "MachineSet", "kind"), to.json(), SPEC, TEMPLATE, SPEC);
        return Requests.of(
                HookObject.OF_MACHINE_SET,
                Arrays.asList(set.json(), infrastructureOf(from, namespace), bootstrapOf(from, namespace)),
                Arrays.asList(desired, infrastructureOf(to, namespace), bootstrapOf(to, namespace)));
    }

    private JsonObjectReader infrastructureOf(KubeObject template, String namespace) {
        return find(template.object("infrastructureRef"), namespace);
    }

    private @Nullable JsonObjectReader bootstrapOf(KubeObject template, String namespace) {
        return template.has("bootstrap", "configRef")
                ? find(template.object("bootstrap", "configRef"), namespace)
                : null;
    }

    private JsonObjectReader find(KubeObject reference, String namespace) {
        KubeObject found = objects.after().find(reference, namespace);
        if (found == null) {
            problems.add(Requests.missing(reference, namespace));
            return Requests.object(String.valueOf(reference.text("kind")), KubeObject.EMPTY.json());
        }
        return found.json();
    }

    /** A percentage is rounded down. Both limits at 0 count as one unavailable. */
    private static int maxUnavailable(KubeObject owner, int machines) {
        KubeObject rolling = new OwnerRolloutSettings(owner).rollingUpdate();
        int unavailable = limit(rolling, MAX_UNAVAILABLE, 0, machines, 0);
        return unavailable == 0 && limit(rolling, "maxSurge", 1, machines, PERCENT - 1) == 0 ? 1 : unavailable;
    }

    private static int limit(KubeObject rolling, String name, int byDefault, int machines, int roundedBy) {
        Long number = rolling.number(name);
        String text = rolling.text(name);
        if (number != null) {
            return number.intValue();
        }
        if (text == null || !text.matches("[0-9]{1,5}%?")) {
            return byDefault;
        }
        return text.endsWith("%")
                ? (Integer.parseInt(text.substring(0, text.length() - 1)) * machines + roundedBy) / PERCENT
                : Integer.parseInt(text);
    }
}
