/**
 * The thread that decides: a standby that follows the tables, until the hint and the fence make it the leader; then poll,
 * decide and put, commit, publish. After anything but a clean commit it drops what it has in memory and reads again.
 */
@NullMarked
package dev.flotilla.orchestrator.loop;

import org.jspecify.annotations.NullMarked;
