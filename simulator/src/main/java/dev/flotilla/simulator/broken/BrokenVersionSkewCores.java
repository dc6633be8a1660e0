package dev.flotilla.simulator.broken;

import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.check.Invariant;
import java.util.List;
import java.util.function.Predicate;

/** Cores that ignore which versions may follow each other and coexist. */
final class BrokenVersionSkewCores {
    private BrokenVersionSkewCores() {}

    static List<BrokenCore> all() {
        return List.of(
                versions("downgrade-unasked", "a machine is downgraded", "at most version"),
                versions("minor-versions-skipped", "a machine skips a minor version", "one minor version before"),
                versions("workers-ahead", "a worker is upgraded before its control plane", "at least version"),
                versions(
                        "workers-far-behind",
                        "a control plane gets four minor versions ahead of a worker",
                        "at most 3 minor"),
                intentVersions("annotation-downgrades", "an intent downgrades a machine", "at most version"),
                intentVersions("annotation-skips-versions", "an intent skips a minor version", "one minor version"),
                intentVersions(
                        "annotation-leads-control-plane",
                        "an intent upgrades a worker before its control plane",
                        "at least version"),
                BrokenConstraintCores.opens(
                                "annotations-resolve-with-many-machines",
                                "several machines of a site are started at once for an intent with an unknown version",
                                GateLabel.CAMPAIGN_CAP,
                                BrokenVersionSkewCores::isForIntent,
                                closedGate -> closedGate.message().contains("allowUnknownVersion"))
                        .expectedToBreak(Invariant.RESOLVED_TARGET, Invariant.VERSION),
                BrokenConstraintCores.opens(
                                "track-resolves-with-many-machines",
                                "several machines are started at once for a channel without a version",
                                GateLabel.CAMPAIGN_CAP,
                                candidate -> candidate.target() instanceof UpgradeTarget.Channel,
                                closedGate -> closedGate.message().contains("is upgraded first"))
                        .expectedToBreak(Invariant.RESOLVED_TARGET, Invariant.VERSION),
                BrokenConstraintCores.core(
                                "one-site-resolves-for-all",
                                "a target resolved in one site counts for all sites",
                                () -> (state, input) -> BrokenConstraintCores.changing(
                                        state, input, BrokenVersionSkewCores::forAllSites))
                        .expectedToBreak(Invariant.RESOLVED_TARGET, Invariant.VERSION),
                BrokenConstraintCores.opens(
                                "duplicate-nodes-together",
                                "one node is upgraded by two sites at once",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.message().contains(", which is being upgraded:"))
                        .expectedToBreak(Invariant.DUPLICATE_NODE),
                BrokenConstraintCores.opens(
                                "later-duplicate-node-continues",
                                "a node that one site has upgraded is upgraded again by another",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.message().contains(", which was upgraded before:"))
                        .expectedToBreak(Invariant.DUPLICATE_NODE),
                BrokenConstraintCores.opens(
                                "overlap-unasked",
                                "a campaign starts although it overlaps an earlier one without approval",
                                GateLabel.CAMPAIGN_NOT_RUNNING,
                                closedGate -> closedGate.actual().startsWith("overlaps"))
                        .expectedToBreak(Invariant.OVERLAP),
                BrokenConstraintCores.opens(
                                "resolves-with-many-machines",
                                "several machines are started at once for a target with an unknown version",
                                GateLabel.CAMPAIGN_CAP,
                                closedGate -> closedGate.message().contains("is upgraded first"))
                        .expectedToBreak(Invariant.RESOLVED_TARGET, Invariant.VERSION));
    }

    /** A core that ignores the version rule whose requirement begins with a text. */
    private static BrokenCore versions(String name, String what, String need) {
        return versions(name, what, candidate -> true, need);
    }

    /** The same, but only for machines that are upgraded by an intent. */
    private static BrokenCore intentVersions(String name, String what, String need) {
        return versions(name, what, BrokenVersionSkewCores::isForIntent, need);
    }

    private static BrokenCore versions(String name, String what, Predicate<StartCandidate> whom, String need) {
        return BrokenConstraintCores.opens(
                        name,
                        what,
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        whom,
                        closedGate -> closedGate.required().startsWith(need))
                .expectedToBreak(Invariant.VERSION);
    }

    private static RowChange forAllSites(RowChange rowChange) {
        return rowChange instanceof CampaignStatus status
                ? status.withResolvedTargets(status.resolvedTargets().stream()
                        .map(target -> new CampaignStatus.ResolvedTarget(
                                target.architecture(), target.revision(), target.version(), null))
                        .toList())
                : rowChange;
    }

    private static boolean isForIntent(StartCandidate candidate) {
        return candidate.rollout() instanceof SiteIntentsRollout;
    }
}
