package dev.flotilla.schemas.row;

import java.time.Duration;

/**
 * Whether a campaign has its machines prepared: what their upgrades need is fetched ahead of them.
 *
 * @param before how long before the machines may start
 */
public record PreparationRule(Duration before) {}
