package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;

/** What an UpgradeTask requests of a machine. */
public record UpgradeTaskRequest(UpgradeTaskRef task, UpgradeTarget target) {}
