/**
 * The upgrade procedure: the state machine that takes one machine through one attempt. It is pure: it returns actions,
 * and the worker performs them and reports their results as inputs. Simulated and real workers run the same procedure.
 * It reads rows and never the fleet's state.
 */
@NullMarked
package dev.flotilla.core.upgrade;

import org.jspecify.annotations.NullMarked;
