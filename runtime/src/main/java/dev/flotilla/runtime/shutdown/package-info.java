/** How a process ends: in order, in time, and whatever is stuck does not keep the rest. */
@NullMarked
package dev.flotilla.runtime.shutdown;

import org.jspecify.annotations.NullMarked;
