package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;

/**
 * The gate of a machine's provider: it can apply the target, and knows with what. A member that cannot be upgraded waits
 * visibly: a campaign that left it out by itself would complete without it.
 */
final class ProviderGate {
    private ProviderGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.NONE,
                c -> canApplyTarget(c) && !lacksTemplate(c),
                c -> (canApplyTarget(c) ? templateMissing(c) : targetNotApplicable(c)).forPerson());
    }

    private static boolean canApplyTarget(StartCandidate c) {
        return c.machine().provider().canApply(c.target());
    }

    private static boolean lacksTemplate(StartCandidate c) {
        return c.machine().provider() == UpgradeProvider.NODE_UPGRADE && c.nodeUpgradeTemplate() == null;
    }

    private static ClosedGate targetNotApplicable(StartCandidate c) {
        UpgradeTarget target = c.target();
        UpgradeProvider provider = c.machine().provider();
        return new ClosedGate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                "provider " + provider.label(),
                "a provider that applies " + target.text(),
                "The machine's provider is " + provider.label() + describeSource(c.machine()) + ", which applies "
                        + provider.targets() + ", and the target is " + target.text()
                        + ": leave the machine out of the campaign (select.providers), or correct its provider in the"
                        + " policy (providers).");
    }

    /** That the policy says another provider than the watcher has found; empty if it does not. */
    private static String describeSource(MachineView machine) {
        return machine.foundProvider() == machine.provider()
                ? ""
                : " by the policy (its watcher found " + machine.foundProvider().label() + ")";
    }

    private static ClosedGate templateMissing(StartCandidate c) {
        UpgradeIntent intent = c.intentWithUpgrader();
        if (intent != null) {
            return new ClosedGate(
                    GateLabel.MACHINE_NOT_ELIGIBLE,
                    "upgrader not allowed",
                    "a template that the policy names",
                    intent.task() + " names the template " + intent.upgrader()
                            + ", which no rule of the policy names for this site: abort the task and create one without"
                            + " upgraderRef, or add a rule with this template to the policy (providers).");
        }
        return new ClosedGate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                "no template",
                "a template for its NodeUpgrade",
                "The machine's provider is node-upgrade, and no rule of the policy names the template of its"
                        + " NodeUpgrade: add a rule with a template to the policy (providers).");
    }
}
