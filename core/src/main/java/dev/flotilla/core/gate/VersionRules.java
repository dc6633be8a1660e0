package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge.Level;
import dev.flotilla.core.fleet.KubeVersion;

/**
 * Which versions may follow each other in a machine, and stand beside each other in a cluster. What nobody shows or says is not
 * compared; a target that says nothing of its version is learned from one machine, {@link CapGates} sees to that.
 */
final class VersionRules {
    /** So many minor versions may a worker be behind its control plane. */
    private static final int MOST_BEHIND = 3;

    private VersionRules() {}

    static Gate gate() {
        return new Gate(
                GateLabel.MACHINE,
                Level.CLUSTER,
                Gate.Hold.NONE,
                c -> broken(c) == Rule.NONE,
                c -> explain(c, broken(c), c.targetVersion()));
    }

    private enum Rule {
        NONE,
        DOWNGRADE,
        ONE_MINOR,
        ONE_MINOR_BACK,
        NOT_BELOW,
        NOT_AHEAD,
        NOT_FAR_BEHIND
    }

    private static Rule broken(Candidate c) {
        int target = c.targetVersion();
        if (target == KubeVersion.UNKNOWN) {
            return Rule.NONE;
        }
        int shown = c.machine().version();
        if (KubeVersion.isOlder(target, shown)
                && !c.rollout().rules().versions().allowDowngrade()) {
            return Rule.DOWNGRADE;
        }
        int minor = KubeVersion.minor(target);
        if (shown != KubeVersion.UNKNOWN && minor > KubeVersion.minor(shown) + 1) {
            return Rule.ONE_MINOR;
        }
        if (shown != KubeVersion.UNKNOWN && minor < KubeVersion.minor(shown) - 1) {
            return Rule.ONE_MINOR_BACK;
        }
        int newest = c.machine().isControlPlane() ? c.share().newestWorker() : KubeVersion.UNKNOWN;
        if (newest != KubeVersion.UNKNOWN && minor < KubeVersion.minor(newest)) {
            return Rule.NOT_BELOW;
        }
        int beside = beside(c);
        if (beside == KubeVersion.UNKNOWN) {
            return Rule.NONE;
        }
        if (c.machine().isControlPlane()) {
            return minor > KubeVersion.minor(beside) + MOST_BEHIND ? Rule.NOT_FAR_BEHIND : Rule.NONE;
        }
        return minor > KubeVersion.minor(beside) ? Rule.NOT_AHEAD : Rule.NONE;
    }

    /** The oldest of the machines of the other role that its target is held against. */
    private static int beside(Candidate c) {
        return c.machine().isControlPlane()
                ? c.share().oldestWorker()
                : c.share().oldestControlPlane();
    }

    private static Closed explain(Candidate c, Rule rule, int target) {
        String to = KubeVersion.text(target);
        String shown = KubeVersion.text(c.machine().version());
        String beside = KubeVersion.text(beside(c));
        String cluster = "cluster " + c.cluster().key();
        return switch (rule) {
            case NONE -> throw new IllegalStateException("no rule of versions is broken");
            case DOWNGRADE ->
                new Closed(
                        GateLabel.MACHINE,
                        "version " + shown,
                        "at most version " + to,
                        "The machine shows " + shown + " and the target is " + to + ": "
                                + (c.rollout() instanceof CampaignRollout
                                        ? "the campaign has to say allowDowngrade."
                                        : "the policy has to say intents.allowDowngrade."));
            case ONE_MINOR ->
                new Closed(
                        GateLabel.MACHINE,
                        "version " + shown,
                        "one minor version before " + to,
                        "The machine shows " + shown + " and the target is " + to
                                + ": it goes by one minor version at a time.");
            case ONE_MINOR_BACK ->
                new Closed(
                        GateLabel.MACHINE,
                        "version " + shown,
                        "one minor version after " + to,
                        "The machine shows " + shown + " and the target is " + to
                                + ": it goes back by one minor version at a time.");
            case NOT_BELOW -> {
                String newest = KubeVersion.text(c.share().newestWorker());
                yield new Closed(
                        GateLabel.MACHINE,
                        "version " + newest + " of a worker",
                        "no worker newer than " + to,
                        "A worker of " + cluster + " shows " + newest + " and the target is " + to
                                + ": a control plane does not go below its workers. Bring the workers back first, with"
                                + " controlPlaneFirst: false.");
            }
            case NOT_AHEAD ->
                new Closed(
                        GateLabel.MACHINE,
                        "version " + beside + " of the control plane",
                        "at least version " + to,
                        "A control-plane machine of " + cluster + " shows " + beside + " and the target is " + to
                                + ": workers do not go ahead of their control plane.");
            case NOT_FAR_BEHIND ->
                new Closed(
                        GateLabel.MACHINE,
                        "version " + beside + " of a worker",
                        "at most " + MOST_BEHIND + " minor versions before " + to,
                        "A worker of " + cluster + " shows " + beside + " and the target is " + to + ": workers may be "
                                + MOST_BEHIND + " minor versions behind their control plane.");
        };
    }
}
