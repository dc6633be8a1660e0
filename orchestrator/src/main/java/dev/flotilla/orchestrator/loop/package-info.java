/**
 * The deciding thread: a standby that follows the tables until it is elected and has fenced the previous leader; then
 * it polls, decides and puts, commits, and publishes. After any failed commit it drops its state and reads the tables
 * again.
 */
@NullMarked
package dev.flotilla.orchestrator.loop;

import org.jspecify.annotations.NullMarked;
