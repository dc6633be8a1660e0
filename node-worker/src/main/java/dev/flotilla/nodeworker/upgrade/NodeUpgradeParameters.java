package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an attempt whose machine a NodeUpgrade upgrades.
 *
 * @param template the template of the NodeUpgrade; null if the command has none
 * @param target null if only the attempt's cancellation is known
 */
public record NodeUpgradeParameters(
        @Nullable NodeUpgradeTemplateRef template, @Nullable UpgradeTarget target) {}
