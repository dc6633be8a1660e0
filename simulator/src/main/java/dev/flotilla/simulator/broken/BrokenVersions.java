package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.simulator.run.Variant;
import java.util.List;
import java.util.function.Predicate;

/** Cores that do not see which versions may follow each other, and stand beside each other. */
final class BrokenVersions {
    private BrokenVersions() {}

    static List<BrokenCore> all() {
        return List.of(
                opens(
                        "downgrade-unasked",
                        "a machine is brought to an older version than it shows",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("at most version")),
                opens(
                        "minor-versions-skipped",
                        "a machine goes over a minor version",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("one minor version")),
                opens(
                        "workers-ahead",
                        "a worker goes ahead of its control plane",
                        GateLabel.MACHINE,
                        closed -> closed.need().startsWith("at least version")),
                opens(
                        "learns-in-a-crowd",
                        "of a target whose version nobody knows several machines are started at once",
                        GateLabel.CAMPAIGN_CAP,
                        closed -> closed.says().contains("teaches it")));
    }

    private static BrokenCore opens(String name, String what, GateLabel label, Predicate<Closed> wrongly) {
        Gates broken = Gates.standard()
                .with(
                        label,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.hold(),
                                candidate -> gate.isOpen(candidate) || wrongly.test(gate.explain(candidate)),
                                gate.explain()));
        return new BrokenCore(name, what, Variant.REAL.with(() -> new FleetDecider(broken)));
    }
}
