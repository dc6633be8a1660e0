package dev.flotilla.core.explain;

import dev.flotilla.core.gate.Closed;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a machine stands, and why it is not being upgraded.
 *
 * @param state a word: what it is doing, or how it ended
 * @param driver on whose behalf; null where nobody asks anything of it
 * @param closed every gate that is closed to it now, the first one first; empty where none is
 * @param next what will happen next, or what somebody would have to do
 */
public record Explanation(
        MachineKey machine, String state, @Nullable RolloutRef driver, List<Closed> closed, String next) {
    public Explanation {
        closed = List.copyOf(closed);
    }
}
