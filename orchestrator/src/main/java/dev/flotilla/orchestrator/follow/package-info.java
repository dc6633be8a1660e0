/**
 * Reads the tables and never writes them: restores them, follows them as a standby, and watches the topics that they are
 * in. Read {@link dev.flotilla.orchestrator.follow.TableFollower} first.
 */
@NullMarked
package dev.flotilla.orchestrator.follow;

import org.jspecify.annotations.NullMarked;
