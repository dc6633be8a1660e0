package dev.flotilla.simulator.broken;

import dev.flotilla.core.gate.GateLabel;
import java.util.List;

/** Cores that do not see which versions may follow each other, and stand beside each other. */
final class BrokenVersions {
    private BrokenVersions() {}

    static List<BrokenCore> all() {
        return List.of(
                BrokenTerms.opens(
                        "downgrade-unasked",
                        "a machine is brought to an older version than it shows",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("at most version")),
                BrokenTerms.opens(
                        "minor-versions-skipped",
                        "a machine goes over a minor version",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("one minor version")),
                BrokenTerms.opens(
                        "workers-ahead",
                        "a worker goes ahead of its control plane",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("at least version")),
                BrokenTerms.opens(
                        "overlap-unasked",
                        "a campaign takes machines that an earlier one has still to do with elsewhere",
                        GateLabel.CAMPAIGN,
                        closed -> closed.have().startsWith("overlaps")),
                BrokenTerms.opens(
                        "learns-in-a-crowd",
                        "of a target whose version nobody knows several machines are started at once",
                        GateLabel.CAMPAIGN_CAP,
                        closed -> closed.says().contains("teaches it")));
    }
}
