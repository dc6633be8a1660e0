package dev.flotilla.core.fleet.inventory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of machines.
 *
 * @param machines views of the current state, not to be kept after a put
 * @param next where the next page starts; null for the last page
 */
public record MachinePage(
        List<MachineView> machines, @Nullable MachineCursor next) {}
