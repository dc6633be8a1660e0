package dev.flotilla.core.fleet.inventory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of the fleet.
 *
 * @param machines looks at the state as it is, not to be kept over a put
 * @param next where the next piece begins; null where there is none
 */
public record MachinePage(
        List<MachineView> machines, @Nullable MachineCursor next) {}
