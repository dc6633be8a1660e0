package dev.flotilla.managementwatcher.external;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.managementwatcher.external.ExternalUpgradeAnswer.UpgradeDecision;
import dev.flotilla.managementwatcher.external.RequestedObjects.RequestedMachine;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.UpgradeTaskSpec;
import dev.flotilla.managementwatcher.view.UpgradeTaskSpec.TaskOwner;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskPhase;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans what an ExternalUpgradeRequest leads to. A request with the content of an earlier one gets the earlier task,
 * unless that was aborted since: then somebody asks again. Pure: no clock, no I/O.
 */
final class ExternalUpgradePlanner {
    private static final int MAX_NAMED = 5;

    private final RequestedUpgradeTask requested;
    private final UpgradeTaskView wanted;
    private final RequestedObjects objects;
    private final boolean dryRun;

    /** @param wanted the requested task, as it would be read */
    private ExternalUpgradePlanner(
            RequestedUpgradeTask requested, UpgradeTaskView wanted, RequestedObjects objects, boolean dryRun) {
        this.requested = requested;
        this.wanted = wanted;
        this.objects = objects;
        this.dryRun = dryRun;
    }

    static ExternalUpgradePlan plan(
            RequestedUpgradeTask requested, UpgradeTaskView wanted, RequestedObjects objects, boolean dryRun) {
        return new ExternalUpgradePlanner(requested, wanted, objects, dryRun).plan();
    }

    private ExternalUpgradePlan plan() {
        UpgradeTaskSpec.SpecProblem invalid = wanted.spec().problem();
        if (invalid != null) {
            return decline(List.of(), "InvalidSpec", invalid.toString());
        }
        if (!objects.clusterExists()) {
            return decline(
                    List.of(),
                    "ClusterNotFound",
                    "cluster '" + wanted.spec().clusterName() + "' does not exist in namespace "
                            + wanted.key().namespace() + ": name an existing Cluster");
        }
        int round = 1;
        UpgradeTaskView again = find(round);
        while (again != null && !(isSameContent(again) && answersAgain(again))) {
            round++;
            again = find(round);
        }
        NamespacedName kept = again == null ? null : again.key();
        List<UpgradeTaskView> superseded = objects.tasks().stream()
                .filter(task -> !task.key().equals(kept) && isSuperseded(task))
                .toList();
        if (again != null) {
            return accept(
                    superseded,
                    again.key().name(),
                    null,
                    again.isFinished() ? "TaskEnded" : "TaskExists",
                    "UpgradeTask " + again.key().name() + " was created for the same request: its status shows how far"
                            + " it is");
        }
        ExternalUpgradePlan refusal = findRefusal(superseded);
        String name = requested.name(round);
        return refusal != null
                ? refusal
                : accept(superseded, name, name, "TaskCreated", "UpgradeTask " + name + " upgrades the machines");
    }

    private @Nullable UpgradeTaskView find(int round) {
        String name = requested.name(round);
        return objects.tasks().stream()
                .filter(task -> task.key().name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Whether a task is the answer to its request still: it runs, or has ended and nobody has undone it. */
    private boolean answersAgain(UpgradeTaskView task) {
        if (!task.isFinished()) {
            return !task.isAborting();
        }
        TaskPhase phase = task.status().phase();
        return phase == TaskPhase.FAILED
                || (phase == TaskPhase.COMPLETED
                        && selected().stream()
                                .noneMatch(machine -> wanted.spec().differs(machine.view())));
    }

    private boolean isSameContent(UpgradeTaskView task) {
        UpgradeTaskSpec spec = task.spec();
        return spec.clusterName().equals(wanted.spec().clusterName())
                && Objects.equals(spec.owner(), wanted.spec().owner())
                && spec.machines().equals(wanted.spec().machines())
                && Objects.equals(spec.version(), wanted.spec().version())
                && Objects.equals(spec.machineSpecHash(), wanted.spec().machineSpecHash());
    }

    /** Whether a running task is about the same owner, or about the same machine where neither names an owner. */
    private boolean isSuperseded(UpgradeTaskView task) {
        if (task.isFinished()
                || task.isAborting()
                || !task.spec().clusterName().equals(wanted.spec().clusterName())) {
            return false;
        }
        TaskOwner owner = wanted.spec().owner();
        TaskOwner other = task.spec().owner();
        if (owner == null || other == null) {
            return owner == null
                    && other == null
                    && !Collections.disjoint(
                            task.spec().machines(), wanted.spec().machines());
        }
        return owner.controlPlane() == other.controlPlane() && owner.name().equals(other.name());
    }

    private List<RequestedMachine> selected() {
        return objects.machines().stream()
                .filter(machine -> wanted.spec().selects(machine.view()))
                .toList();
    }

    /** Returns why the change cannot be brought about; null if it can. */
    private @Nullable ExternalUpgradePlan findRefusal(List<UpgradeTaskView> superseded) {
        List<RequestedMachine> selected = selected();
        List<String> missing = wanted.spec().machines().stream()
                .filter(name ->
                        selected.stream().noneMatch(machine -> machine.name().equals(name)))
                .toList();
        if (!missing.isEmpty()) {
            return decline(
                    superseded,
                    "MachineNotFound",
                    "machines: " + join(missing)
                            + (wanted.spec().owner() == null
                                    ? " are no Machines of Cluster "
                                            + wanted.spec().clusterName()
                                    : " are no Machines of " + wanted.spec().owner())
                            + ": name its Machines");
        }
        if (selected.isEmpty()) {
            return decline(
                    superseded,
                    "NoMachines",
                    wanted.spec().owner() + " has no Machines in Cluster "
                            + wanted.spec().clusterName() + ": name an owner that has some");
        }
        RequestedMachine unable = selected.stream()
                .filter(machine -> wanted.spec().target() == null
                        || !machine.provider().canApply(wanted.spec().target()))
                .findFirst()
                .orElse(null);
        if (unable != null) {
            return decline(
                    superseded,
                    "ProviderCannotApply",
                    "the provider of Machine " + unable.name() + " is "
                            + unable.provider().label() + ", which applies "
                            + unable.provider().targets() + ", and the target is "
                            + wanted.spec().target()
                            + ": where another upgrades the Machine, set its label flotilla.dev/provider");
        }
        int target = KubernetesVersion.parse(wanted.spec().version());
        List<String> newer = selected.stream()
                .filter(machine -> KubernetesVersion.isOlder(
                        target, KubernetesVersion.parse(machine.view().kubeletVersion())))
                .map(RequestedMachine::name)
                .toList();
        return newer.isEmpty()
                ? null
                : decline(
                        superseded,
                        "Downgrade",
                        "newSpec.version " + wanted.spec().version() + " is older than what these Machines run: "
                                + join(newer) + ". Nothing is downgraded in place: ask for a newer version");
    }

    private static String join(List<String> names) {
        return names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
    }

    private ExternalUpgradePlan accept(
            List<UpgradeTaskView> superseded, String task, @Nullable String create, String reason, String message) {
        return answer(UpgradeDecision.ACCEPT, superseded, task, create, reason, message);
    }

    /** The earlier task of the owner is aborted also if the request is declined: nobody wants its end any more. */
    private ExternalUpgradePlan decline(List<UpgradeTaskView> superseded, String reason, String message) {
        return answer(UpgradeDecision.DECLINE, superseded, null, null, reason, message);
    }

    private ExternalUpgradePlan answer(
            UpgradeDecision decision,
            List<UpgradeTaskView> superseded,
            @Nullable String task,
            @Nullable String create,
            String reason,
            String message) {
        ExternalUpgradeAnswer answer = new ExternalUpgradeAnswer(
                decision,
                task,
                superseded.stream().map(each -> each.key().name()).sorted().toList(),
                reason,
                message,
                dryRun);
        return new ExternalUpgradePlan(answer, dryRun ? List.of() : superseded, dryRun ? null : create);
    }
}
