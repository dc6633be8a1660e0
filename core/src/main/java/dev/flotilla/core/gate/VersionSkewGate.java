package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.KubernetesVersion;
import dev.flotilla.core.fleet.StartCandidate;

/**
 * Which versions may follow each other in a machine, and stand beside each other in a cluster. What nobody shows or says is not
 * compared; a target that says nothing of its version is learned from one machine, {@link InFlightCapGates} sees to that.
 */
final class VersionSkewGate {
    /** So many minor versions may a worker be behind its control plane. */
    private static final int MOST_BEHIND = 3;

    private VersionSkewGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> broken(c) == BrokenVersionRule.NONE,
                c -> explain(c, broken(c), c.targetVersion()));
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

    private static BrokenVersionRule broken(StartCandidate c) {
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
        int beside = beside(c);
        if (beside == KubernetesVersion.UNKNOWN) {
            return BrokenVersionRule.NONE;
        }
        if (c.machine().isControlPlane()) {
            return minor > KubernetesVersion.minor(beside) + MOST_BEHIND
                    ? BrokenVersionRule.NOT_FAR_BEHIND
                    : BrokenVersionRule.NONE;
        }
        return minor > KubernetesVersion.minor(beside) ? BrokenVersionRule.NOT_AHEAD : BrokenVersionRule.NONE;
    }

    /** The oldest of the machines of the other role that its target is held against. */
    private static int beside(StartCandidate c) {
        return c.machine().isControlPlane()
                ? c.backlog().oldestWorker()
                : c.backlog().oldestControlPlane();
    }

    private static ClosedGate explain(StartCandidate c, BrokenVersionRule rule, int target) {
        String to = KubernetesVersion.text(target);
        String shown = KubernetesVersion.text(c.machine().version());
        String beside = KubernetesVersion.text(beside(c));
        String cluster = "cluster " + c.cluster().key();
        return switch (rule) {
            case NONE -> throw new IllegalStateException("no rule of versions is broken");
            case DOWNGRADE ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + shown,
                        "at most version " + to,
                        "The machine shows " + shown + " and the target is " + to + ": "
                                + (c.rollout() instanceof CampaignRollout
                                        ? "the campaign has to say allowDowngrade."
                                        : "the policy has to say intents.allowDowngrade."));
            case ONE_MINOR ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + shown,
                        "one minor version before " + to,
                        "The machine shows " + shown + " and the target is " + to
                                + ": it goes by one minor version at a time.");
            case ONE_MINOR_BACK ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + shown,
                        "one minor version after " + to,
                        "The machine shows " + shown + " and the target is " + to
                                + ": it goes back by one minor version at a time.");
            case NOT_BELOW -> {
                String newest = KubernetesVersion.text(c.backlog().newestWorker());
                yield new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + newest + " of a worker",
                        "no worker newer than " + to,
                        "A worker of " + cluster + " shows " + newest + " and the target is " + to
                                + ": a control plane does not go below its workers. Bring the workers back first, with"
                                + " controlPlaneFirst: false.");
            }
            case NOT_AHEAD ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + beside + " of the control plane",
                        "at least version " + to,
                        "A control-plane machine of " + cluster + " shows " + beside + " and the target is " + to
                                + ": workers do not go ahead of their control plane.");
            case NOT_FAR_BEHIND ->
                new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "version " + beside + " of a worker",
                        "at most " + MOST_BEHIND + " minor versions before " + to,
                        "A worker of " + cluster + " shows " + beside + " and the target is " + to + ": workers may be "
                                + MOST_BEHIND + " minor versions behind their control plane.");
        };
    }
}
