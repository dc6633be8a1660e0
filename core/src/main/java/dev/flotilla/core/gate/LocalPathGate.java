package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.rollout.LocalPathRule;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradeTarget;

/**
 * The gate of a campaign's machine in a site whose policy does not allow the campaign's local path. The file is installed
 * unsigned, as root, so a command is cancelled as soon as the policy no longer allows it, even of a half-upgraded control
 * plane.
 */
final class LocalPathGate {
    private LocalPathGate() {}

    static Gate gate() {
        return new Gate(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                GateLevel.CLUSTER,
                Gate.LeaseEffect.REVOKE,
                LocalPathGate::isAllowed,
                LocalPathGate::pathNotAllowed);
    }

    /** A machine with an open attempt may no longer be asked for anything. */
    private static boolean isAllowed(StartCandidate c) {
        UpgradeTarget target = c.rollout().targetOf(c.machine());
        return !(target instanceof UpgradeTarget.LocalPath)
                || c.state().intentRule(c.machine().site()).allowsPath(target);
    }

    private static ClosedGate pathNotAllowed(StartCandidate c) {
        SiteId site = c.machine().site();
        return new ClosedGate(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        c.target().text(),
                        "a path that the site's policy allows",
                        "The target is " + c.target().text() + ", and "
                                + LocalPathRule.describe(c.state().intentRule(site), site)
                                + ". Add its directory there, or leave the site out of the campaign (select.sites).")
                .forPerson();
    }
}
