package dev.flotilla.core.command;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A partition that was read to its end after its previous owner was fenced.
 *
 * @param commands the newest command of each machine; null if it was removed
 * @param lastReports the last report about each machine
 */
public record PartitionSnapshot(
        Map<MachineKey, @Nullable WorkerCommand> commands, Map<MachineKey, AttemptProgress> lastReports) {}
