package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;

/**
 * The gate of the version rules: which versions may follow each other on a machine and run beside each other in a
 * cluster. Unknown versions are not compared; a target without a version is first resolved on one machine, see {@link
 * InFlightCapGates}.
 */
final class VersionSkewGate {
    /** How many minor versions a worker may be behind its control plane. */
    private static final int MAX_MINORS_BEHIND = 3;

    private VersionSkewGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> findBrokenRule(c) == BrokenVersionRule.NONE,
                c -> explain(c, findBrokenRule(c), c.targetVersion()));
    }

    private enum BrokenVersionRule {
        NONE,
        DOWNGRADE,
        ONE_MINOR,
        ONE_MINOR_BACK,
        NOT_BELOW,
        NOT_AHEAD,
        NOT_FAR_BEHIND
    }

    private static BrokenVersionRule findBrokenRule(StartCandidate c) {
        int target = c.targetVersion();
        if (target == KubernetesVersion.UNKNOWN) {
            return BrokenVersionRule.NONE;
        }
        int shown = c.machine().version();
        if (KubernetesVersion.isOlder(target, shown)
                && !c.rollout().rules().versionExemptions().allowDowngrade()) {
            return BrokenVersionRule.DOWNGRADE;
        }
        int minor = KubernetesVersion.minor(target);
        if (shown != KubernetesVersion.UNKNOWN && minor > KubernetesVersion.minor(shown) + 1) {
            return BrokenVersionRule.ONE_MINOR;
        }
        if (shown != KubernetesVersion.UNKNOWN && minor < KubernetesVersion.minor(shown) - 1) {
            return BrokenVersionRule.ONE_MINOR_BACK;
        }
        int newest = c.machine().isControlPlane() ? c.backlog().newestWorker() : KubernetesVersion.UNKNOWN;
        if (newest != KubernetesVersion.UNKNOWN && minor < KubernetesVersion.minor(newest)) {
            return BrokenVersionRule.NOT_BELOW;
        }
        int otherRole = otherRoleVersion(c);
        if (otherRole == KubernetesVersion.UNKNOWN) {
            return BrokenVersionRule.NONE;
        }
        if (c.machine().isControlPlane()) {
            return minor > KubernetesVersion.minor(otherRole) + MAX_MINORS_BEHIND
                    ? BrokenVersionRule.NOT_FAR_BEHIND
                    : BrokenVersionRule.NONE;
        }
        return minor > KubernetesVersion.minor(otherRole) ? BrokenVersionRule.NOT_AHEAD : BrokenVersionRule.NONE;
    }

    /** The oldest version of the other role, which the target is compared with. */
    private static int otherRoleVersion(StartCandidate c) {
        return c.machine().isControlPlane()
                ? c.backlog().oldestWorker()
                : c.backlog().oldestControlPlane();
    }

    private static ClosedGate explain(StartCandidate c, BrokenVersionRule rule, int target) {
        String to = KubernetesVersion.text(target);
        String shown = KubernetesVersion.text(c.machine().version());
        String otherRole = KubernetesVersion.text(otherRoleVersion(c));
        String cluster = "cluster " + c.cluster().key();
        return switch (rule) {
            case NONE -> throw new IllegalStateException("the gate is open: no version rule is broken");
            case DOWNGRADE ->
                new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                "version " + shown,
                                "at most version " + to,
                                "The machine shows " + shown + " and the target is " + to + ": "
                                        + (c.rollout() instanceof CampaignRollout
                                                ? "a downgrade needs allowDowngrade in the campaign."
                                                : "a downgrade needs intents.allowDowngrade in the policy."))
                        .forPerson();
            case ONE_MINOR ->
                new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                "version " + shown,
                                "one minor version before " + to,
                                "The machine shows " + shown + " and the target is " + to
                                        + ": upgrade one minor version at a time.")
                        .forPerson();
            case ONE_MINOR_BACK ->
                new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                "version " + shown,
                                "one minor version after " + to,
                                "The machine shows " + shown + " and the target is " + to
                                        + ": downgrade one minor version at a time.")
                        .forPerson();
            case NOT_BELOW -> {
                String newest = KubernetesVersion.text(c.backlog().newestWorker());
                yield new ClosedGate(
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                "version " + newest + " of a worker",
                                "no worker newer than " + to,
                                "A worker of " + cluster + " shows " + newest + " and the target is " + to
                                        + ": a control plane must not be older than its workers. Downgrade the workers first, with"
                                        + " controlPlaneFirst: false.")
                        .forPerson();
            }
            case NOT_AHEAD ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + otherRole + " of the control plane",
                        "at least version " + to,
                        "A control-plane machine of " + cluster + " shows " + otherRole + " and the target is " + to
                                + ": workers must not be newer than their control plane.");
            case NOT_FAR_BEHIND ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + otherRole + " of a worker",
                        "at most " + MAX_MINORS_BEHIND + " minor versions before " + to,
                        "A worker of " + cluster + " shows " + otherRole + " and the target is " + to
                                + ": workers can be" + " at most " + MAX_MINORS_BEHIND
                                + " minor versions behind their control plane.");
        };
    }
}
