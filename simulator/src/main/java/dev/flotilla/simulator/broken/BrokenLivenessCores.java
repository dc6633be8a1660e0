package dev.flotilla.simulator.broken;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;
import java.util.function.Predicate;

/** Cores in which a permanent fault of one site stops everything else. */
final class BrokenLivenessCores {
    private BrokenLivenessCores() {}

    static List<BrokenCore> all() {
        return List.of(
                waiting(
                        "silent-site-stops-all",
                        "nothing starts anywhere while any site is silent",
                        site -> site.head() != null && site.head().silentSince() != null),
                waiting(
                        "unreachable-site-stops-all",
                        "nothing starts anywhere while the topics of any site are unusable",
                        site -> site.head() != null && site.head().unreachableSince() != null));
    }

    private static BrokenCore waiting(String name, String what, Predicate<SiteState> sick) {
        GateChain broken = GateChain.standard()
                .with(
                        GateLabel.FREEZE,
                        gate -> new Gate(
                                gate.label(),
                                gate.level(),
                                gate.leaseEffect(),
                                candidate -> gate.isOpen(candidate) && !any((FleetState) candidate.state(), sick),
                                gate.explain()));
        return new BrokenCore(name, what, SystemUnderTest.REAL.with(() -> new FleetDecider(broken)))
                .expectedToBreak(Invariant.NOTHING_LOST);
    }

    private static boolean any(FleetState state, Predicate<SiteState> sick) {
        return state.sites().stream().anyMatch(sick);
    }
}
