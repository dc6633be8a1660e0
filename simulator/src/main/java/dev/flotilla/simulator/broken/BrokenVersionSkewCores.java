package dev.flotilla.simulator.broken;

import dev.flotilla.core.fleet.SiteIntentsRollout;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.check.Invariant;
import java.util.List;
import java.util.function.Predicate;

/** Cores that do not see which versions may follow each other, and stand beside each other. */
final class BrokenVersionSkewCores {
    private BrokenVersionSkewCores() {}

    static List<BrokenCore> all() {
        return List.of(
                versions(
                        "downgrade-unasked",
                        "a machine is brought to an older version than it shows",
                        "at most version"),
                versions("minor-versions-skipped", "a machine goes over a minor version", "one minor version before"),
                versions("workers-ahead", "a worker goes ahead of its control plane", "at least version"),
                versions(
                        "workers-far-behind",
                        "a control plane goes four minor versions ahead of a worker",
                        "at most 3 minor"),
                asked(
                        "annotation-downgrades",
                        "an annotation brings a machine to an older version than it shows",
                        "at most version"),
                asked(
                        "annotation-skips-versions",
                        "an annotation brings a machine over a minor version",
                        "one minor version"),
                asked(
                        "annotation-leads-control-plane",
                        "an annotation brings a worker ahead of its control plane",
                        "at least version"),
                BrokenConstraintCores.opens(
                                "annotations-learn-in-a-crowd",
                                "several machines of a site are started at once for annotations of a version that nobody knows",
                                GateLabel.CAMPAIGN_CAP,
                                BrokenVersionSkewCores::isAsked,
                                closedGate -> closedGate.message().contains("allowUnknownVersion"))
                        .expectedToBreak(Invariant.TEACHER, Invariant.VERSION),
                BrokenConstraintCores.opens(
                                "track-learns-in-a-crowd",
                                "of a channel whose track says no version several machines are started at once",
                                GateLabel.CAMPAIGN_CAP,
                                candidate -> candidate.target() instanceof UpgradeTarget.Channel,
                                closedGate -> closedGate.message().contains("is upgraded first"))
                        .expectedToBreak(Invariant.TEACHER, Invariant.VERSION),
                BrokenConstraintCores.core(
                                "one-site-teaches-all",
                                "what a machine of one site has shown is what the machines of all sites have to show",
                                () -> (state, input) -> BrokenConstraintCores.changing(
                                        state, input, BrokenVersionSkewCores::forAllSites))
                        .expectedToBreak(Invariant.TEACHER, Invariant.VERSION),
                BrokenConstraintCores.opens(
                                "twins-together",
                                "one node is upgraded by two sites at once",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.message().contains(", which is being upgraded:"))
                        .expectedToBreak(Invariant.TWIN),
                BrokenConstraintCores.opens(
                                "later-twin-goes-on",
                                "a node that one site upgraded is upgraded by another that shows it later",
                                GateLabel.MACHINE_NOT_ELIGIBLE,
                                closedGate -> closedGate.message().contains(", which was upgraded before:"))
                        .expectedToBreak(Invariant.TWIN),
                BrokenConstraintCores.opens(
                                "overlap-unasked",
                                "a campaign takes machines that an earlier one has still to do with elsewhere",
                                GateLabel.CAMPAIGN_NOT_RUNNING,
                                closedGate -> closedGate.actual().startsWith("overlaps"))
                        .expectedToBreak(Invariant.OVERLAP),
                BrokenConstraintCores.opens(
                                "learns-in-a-crowd",
                                "of a target whose version nobody knows several machines are started at once",
                                GateLabel.CAMPAIGN_CAP,
                                closedGate -> closedGate.message().contains("is upgraded first"))
                        .expectedToBreak(Invariant.TEACHER, Invariant.VERSION));
    }

    /** A rule of versions that nobody keeps, by how its demand begins. */
    private static BrokenCore versions(String name, String what, String need) {
        return versions(name, what, candidate -> true, need);
    }

    /** The same, where a machine follows an annotation. */
    private static BrokenCore asked(String name, String what, String need) {
        return versions(name, what, BrokenVersionSkewCores::isAsked, need);
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
                        .map(each -> new CampaignStatus.ResolvedTarget(
                                each.architecture(), each.revision(), each.version(), null))
                        .toList())
                : rowChange;
    }

    private static boolean isAsked(StartCandidate candidate) {
        return candidate.rollout() instanceof SiteIntentsRollout;
    }
}
