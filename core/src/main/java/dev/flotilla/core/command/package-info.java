/**
 * The upgrades that the commands of one partition ask for, without I/O: which run, which reports wait, and what the end
 * of a session or a hand-over means for them. The worker carries out the effects and reports their results. Simulated
 * and real workers run the same. Read first: {@link dev.flotilla.core.command.PartitionUpgrades}.
 */
@NullMarked
package dev.flotilla.core.command;

import org.jspecify.annotations.NullMarked;
