package dev.flotilla.schemas.row;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold around the calls of a campaign.
 *
 * @param backup how old the last backup of a machine's cluster may be when it is called; null where none is asked for
 */
public record Checks(@Nullable Duration backup, List<Check> before, List<Check> after) {
    public static final Checks NONE = new Checks(null, List.of(), List.of());

    public Checks {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** Those around the call of such a machine. */
    public Checks of(Role role) {
        if (before.isEmpty() && after.isEmpty()) {
            return this;
        }
        List<Check> its = before.stream().filter(check -> check.concerns(role)).toList();
        List<Check> then = after.stream().filter(check -> check.concerns(role)).toList();
        return its.size() == before.size() && then.size() == after.size() ? this : new Checks(backup, its, then);
    }
}
