package dev.flotilla.managementwatcher.task;

import static dev.flotilla.managementwatcher.task.MachineWait.BLOCKED;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds why a machine of an UpgradeTask waits: what the policy refuses, then the gate in their order, as far as the site's objects
 * and the status rows of its cluster show it. Caps, windows and other sites are known to the orchestrator alone.
 */
final class MachineWaitFinder {
    private static final int MAX_GATE = 64;
    private static final int MAX_NAMED = 5;

    private final ClusterTasks cluster;

    MachineWaitFinder(ClusterTasks cluster) {
        this.cluster = cluster;
    }

    /**
     * Returns what a machine waits for; null if nothing is known.
     *
     * @param version the Kubernetes version of the target; null for none
     */
    @Nullable
    MachineWait findWait(
            TaskMachine machine, UpgradeTarget target, @Nullable String version, @Nullable NodeUpgraderRef upgrader) {
        return Stream.<Supplier<@Nullable MachineWait>>of(
                        () -> findTargetRule(target),
                        () -> findProvider(machine, target),
                        () -> findTemplate(machine, upgrader),
                        () -> ofText(cluster.siteReason()),
                        () -> findOrder(machine),
                        () -> findHealth(machine),
                        () -> findOwn(machine),
                        () -> findVersionRule(machine, KubernetesVersion.parse(version)),
                        () -> findBackoff(machine))
                .map(Supplier::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Reads a gate and its text as the orchestrator and the holds of objects write them. */
    private static @Nullable MachineWait ofText(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int colon = text.indexOf(": ");
        return colon < 0 || colon > MAX_GATE
                ? new MachineWait(BLOCKED, null, text, null)
                : new MachineWait(BLOCKED, text.substring(0, colon), text.substring(colon + 2), null);
    }

    private static MachineWait closed(GateLabel gate, String needs) {
        return new MachineWait(BLOCKED, gate.label(), needs, null);
    }

    /** The control plane goes first, one member at a time, and not past a quarantined one. */
    private @Nullable MachineWait findOrder(TaskMachine machine) {
        boolean member = isMember(machine);
        String turn = "Control plane first, one at a time: ";
        String inFlight = names(machine, other -> isMember(other) && isInFlight(other));
        if (inFlight != null) {
            return closed(GateLabel.CLUSTER_ORDER, turn + "control-plane machine " + inFlight + " is in flight");
        }
        String quarantined = names(machine, other -> isMember(other) && outcomeOf(other) == MachineOutcome.QUARANTINED);
        if (quarantined != null) {
            return closed(
                    GateLabel.CLUSTER_ORDER,
                    turn + "control-plane machine " + quarantined + " is quarantined: skip it or retry it");
        }
        String left = member
                ? null
                : names(machine, other -> isMember(other) && other.intent() != null && !hasEnded(outcomeOf(other)));
        return left == null
                ? null
                : closed(GateLabel.CLUSTER_ORDER, turn + "the control plane is not at its target yet: " + left);
    }

    /** A start must not be one unavailable machine too many. */
    private @Nullable MachineWait findHealth(TaskMachine machine) {
        if (machine.hold() != null && machine.hold().startsWith(GateLabel.CLUSTER_HEALTH.label())) {
            return ofText(machine.hold());
        }
        MachineWait soak = findSoak();
        if (soak != null) {
            return soak;
        }
        String unready = names(
                machine, other -> isSameRole(machine, other) && !other.row().ready());
        if (isMember(machine)) {
            long present = cluster.machines().stream()
                    .filter(MachineWaitFinder::isMember)
                    .count();
            return unready != null
                    ? closed(GateLabel.CLUSTER_HEALTH, "control-plane machine " + unready + " must be Ready")
                    : present == cluster.controlPlaneReplicas()
                            ? null
                            : closed(
                                    GateLabel.CLUSTER_HEALTH,
                                    "Cluster " + machine.row().cluster() + " has " + present
                                            + " control-plane machines and should have "
                                            + cluster.controlPlaneReplicas());
        }
        String inFlight = names(machine, other -> isSameRole(machine, other) && isInFlight(other));
        if (unready == null && inFlight == null) {
            return null;
        }
        return closed(
                GateLabel.CLUSTER_HEALTH,
                Stream.of(describe(inFlight, "in flight"), describe(unready, "not Ready"))
                                .filter(text -> !text.isEmpty())
                                .collect(Collectors.joining("; "))
                        + ": with this start too many workers of the cluster would be unavailable (maxUnavailable)");
    }

    private static String describe(@Nullable String names, String how) {
        return names == null ? "" : names + " " + how;
    }

    private @Nullable MachineWait findSoak() {
        Instant until = cluster.machines().stream()
                .map(TaskMachine::status)
                .filter(Objects::nonNull)
                .flatMap(status -> status.entries().stream())
                .map(RolloutEntry::soakUntil)
                .filter(each -> each != null && cluster.now().isBefore(each))
                .max(Instant::compareTo)
                .orElse(null);
        return until == null
                ? null
                : new MachineWait(
                        BLOCKED,
                        GateLabel.CLUSTER_HEALTH.label(),
                        "the cluster soaks after a success until " + until,
                        until);
    }

    /** The machine itself must be able to start. */
    private static @Nullable MachineWait findOwn(TaskMachine machine) {
        MachineRow row = machine.row();
        if (machine.status() != null && machine.status().attempt() != null) {
            return closed(
                    GateLabel.MACHINE_NOT_ELIGIBLE,
                    "attempt " + machine.status().attempt().id() + " must end");
        }
        if (row.deleting()) {
            return closed(GateLabel.MACHINE_NOT_ELIGIBLE, "the Machine is being deleted");
        }
        if (row.node() == null) {
            return closed(GateLabel.MACHINE_NOT_ELIGIBLE, "the Machine has no node (status.nodeRef)");
        }
        if (machine.hold() != null) {
            return ofText(machine.hold());
        }
        return row.foreignActivities().isEmpty()
                ? null
                : closed(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        switch (row.foreignActivities().getFirst()) {
                            case FOREIGN -> "another controller upgrades the Machine and must end";
                            case ROLLING -> "its owner is rolling its machines and must end";
                            case SCALING -> "its owner is scaling and must end";
                            case REMEDIATION -> "its remediation must end";
                            case CERTIFICATES -> "the refresh of its certificates must end";
                        });
    }

    private @Nullable MachineWait findTargetRule(UpgradeTarget target) {
        SiteAnnotationRules rules = cluster.rules();
        return rules == null || target.matches(rules.targetPatterns())
                ? null
                : new MachineWait(
                        MachineWait.TARGET_NOT_ALLOWED,
                        GateLabel.MACHINE_NOT_ELIGIBLE.label(),
                        "the policy allows only the targets " + String.join(", ", rules.targetPatterns())
                                + " here, and the target is " + target.text()
                                + ": abort the task, or allow its target in the policy (intents.targets)",
                        null);
    }

    private static @Nullable MachineWait findProvider(TaskMachine machine, UpgradeTarget target) {
        return machine.row().provider().canApply(target)
                ? null
                : new MachineWait(
                        MachineWait.PROVIDER_CANNOT_APPLY,
                        GateLabel.MACHINE_NOT_ELIGIBLE.label(),
                        "the Machine's provider is " + machine.row().provider().label() + ", which applies "
                                + machine.row().provider().targets() + ", and the target is " + target.text()
                                + ": abort the task and use the annotation of the provider, or correct the provider"
                                + " in the policy (providers)",
                        null);
    }

    /** A rule of the policy must name the template of its NodeUpgrades, also one that the task names. */
    private @Nullable MachineWait findTemplate(TaskMachine machine, @Nullable NodeUpgraderRef upgrader) {
        SiteAnnotationRules rules = cluster.rules();
        if (upgrader != null && (rules == null || rules.findTemplate(upgrader) == null)) {
            List<NodeUpgradeTemplateRef> allowed = rules == null ? List.of() : rules.templates();
            return new MachineWait(
                    MachineWait.UPGRADER_NOT_ALLOWED,
                    GateLabel.MACHINE_NOT_ELIGIBLE.label(),
                    "spec.upgraderRef '" + upgrader
                            + "' is no template that the policy names for this site (providers): "
                            + (allowed.isEmpty()
                                    ? ""
                                    : "name one of " + describe(allowed) + " or leave it out, in a new task; or ")
                            + "add a rule with this template to the policy",
                    null);
        }
        boolean lacks = upgrader == null
                && rules != null
                && rules.templateOf(machine.row().labels()) == null
                && machine.row().provider() == UpgradeProvider.NODE_UPGRADE;
        return lacks
                ? closed(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "no rule of the policy names the template of the Machine's NodeUpgrades: add a rule with a"
                                + " template to the policy (providers)")
                : null;
    }

    private static String describe(List<NodeUpgradeTemplateRef> templates) {
        return templates.stream()
                .map(template -> "'" + NodeUpgraderRef.of(template) + "'")
                .collect(Collectors.joining(", "));
    }

    /** The rules about versions, as far as the cluster's Machines show theirs. */
    private @Nullable MachineWait findVersionRule(TaskMachine machine, int target) {
        int shown = KubernetesVersion.parse(machine.row().kubeletVersion());
        if (target == KubernetesVersion.UNKNOWN || shown == KubernetesVersion.UNKNOWN) {
            return null;
        }
        String machineShows = "the Machine shows " + machine.row().kubeletVersion() + " and the target is "
                + KubernetesVersion.text(target) + ": ";
        if (KubernetesVersion.isOlder(target, shown)) {
            return closed(
                    GateLabel.MACHINE_NOT_ELIGIBLE,
                    machineShows + "a downgrade needs intents.allowDowngrade in the policy");
        }
        int minor = KubernetesVersion.minor(target);
        if (minor > KubernetesVersion.minor(shown) + 1) {
            return closed(GateLabel.MACHINE_NOT_ELIGIBLE, machineShows + "upgrade one minor version at a time");
        }
        String behind = isMember(machine)
                ? null
                : names(machine, other -> {
                    int version = KubernetesVersion.parse(other.row().kubeletVersion());
                    return isMember(other)
                            && version != KubernetesVersion.UNKNOWN
                            && minor > KubernetesVersion.minor(version);
                });
        return behind == null
                ? null
                : closed(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "workers must not be newer than their control plane: upgrade " + behind + " first");
    }

    private @Nullable MachineWait findBackoff(TaskMachine machine) {
        RolloutEntry entry = machine.entry();
        Instant retryAt = entry == null ? null : entry.retryAt();
        if (entry == null || retryAt == null || !cluster.now().isBefore(retryAt)) {
            return null;
        }
        String deferred = entry.deferral() == null
                ? ""
                : "its worker deferred the start, because: " + entry.deferral().reason() + "; ";
        return new MachineWait(
                BLOCKED, GateLabel.BACKOFF.label(), deferred + "the next attempt starts at " + retryAt, retryAt);
    }

    /** Returns the names of the other machines of the cluster that match; null for none. */
    private @Nullable String names(TaskMachine machine, Predicate<TaskMachine> matches) {
        List<String> names = cluster.machines().stream()
                .filter(other -> !other.name().equals(machine.name()) && matches.test(other))
                .map(TaskMachine::name)
                .sorted()
                .toList();
        return names.isEmpty()
                ? null
                : names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                        + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
    }

    private static boolean isMember(TaskMachine machine) {
        return machine.row().role() == MachineRole.CONTROL_PLANE;
    }

    private static boolean isSameRole(TaskMachine machine, TaskMachine other) {
        return machine.row().role() == other.row().role();
    }

    private static boolean isInFlight(TaskMachine machine) {
        MachineStatus status = machine.status();
        return status != null && status.attempt() != null;
    }

    private static @Nullable MachineOutcome outcomeOf(TaskMachine machine) {
        RolloutEntry entry = machine.entry();
        return entry == null ? null : entry.outcome();
    }

    private static boolean hasEnded(@Nullable MachineOutcome outcome) {
        return outcome != null && outcome != MachineOutcome.OPEN;
    }
}
