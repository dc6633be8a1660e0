/**
 * The journal as others read it: its chain, its chapters, and the state that the fleet had at any instant of it. Nothing
 * here writes, and nothing is taken on trust but the bytes.
 */
@NullMarked
package dev.flotilla.orchestrator.journal;

import org.jspecify.annotations.NullMarked;
