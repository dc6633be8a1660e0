package dev.flotilla.simulator.broken;

import dev.flotilla.simulator.check.Invariant;
import dev.flotilla.simulator.run.Variant;
import java.util.List;

/**
 * One thing broken on purpose.
 *
 * @param what what is wrong with it, as a bug report would say
 * @param by the conditions one of which has to be found broken: any other breach does not count as finding this out
 */
public record BrokenCore(String name, String what, Variant variant, List<Invariant> by) {
    BrokenCore(String name, String what, Variant variant) {
        this(name, what, variant, List.of());
    }

    BrokenCore caughtBy(Invariant... conditions) {
        return new BrokenCore(name, what, variant, List.of(conditions));
    }
}
