package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import org.jspecify.annotations.Nullable;

/**
 * What an UpgradeTask requests of a machine.
 *
 * @param expectedVersion the Kubernetes version that the machine is to have too, if the target does not name it; null for none
 * @param upgrader the template of the NodeUpgrade; null for that of the machine's provider
 */
public record UpgradeTaskRequest(
        UpgradeTaskRef task,
        UpgradeTarget target,
        @Nullable String expectedVersion,
        @Nullable NodeUpgraderRef upgrader) {}
