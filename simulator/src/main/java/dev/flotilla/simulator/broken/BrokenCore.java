package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.SystemUnderTest;
import java.util.List;

/**
 * One thing broken on purpose.
 *
 * @param defect what is wrong with it, as a bug report would say
 * @param expectedInvariants the conditions one of which has to be found broken: any other breach does not count as finding this out
 */
public record BrokenCore(String name, String defect, SystemUnderTest variant, List<Invariant> expectedInvariants) {
    BrokenCore(String name, String what, SystemUnderTest systemUnderTest) {
        this(name, what, systemUnderTest, List.of());
    }

    BrokenCore expectedToBreak(Invariant... conditions) {
        return new BrokenCore(name, defect, variant, List.of(conditions));
    }
}
