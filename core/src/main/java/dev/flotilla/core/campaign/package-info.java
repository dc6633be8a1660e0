/**
 * What falls due about campaigns and intents besides starts: waves that open and close, ends, further rounds.
 */
@NullMarked
package dev.flotilla.core.campaign;

import org.jspecify.annotations.NullMarked;
