package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;

/**
 * A deliberately broken core or process.
 *
 * @param defect what is wrong with it, as a bug report would say
 * @param expectedInvariants the invariants of which one must be violated; other violations do not count as detection
 */
public record BrokenCore(String name, String defect, SystemUnderTest variant, List<Invariant> expectedInvariants) {
    BrokenCore(String name, String what, SystemUnderTest systemUnderTest) {
        this(name, what, systemUnderTest, List.of());
    }

    BrokenCore expectedToBreak(Invariant... conditions) {
        return new BrokenCore(name, defect, variant, List.of(conditions));
    }
}
