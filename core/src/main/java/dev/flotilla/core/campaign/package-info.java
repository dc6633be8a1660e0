/** Decisions about campaigns and intents besides starts: waves, completion, retries and status. */
@NullMarked
package dev.flotilla.core.campaign;

import org.jspecify.annotations.NullMarked;
