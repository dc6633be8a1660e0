/** Whether a change of a machine can be applied in place: pure functions of a hook's request. */
@NullMarked
package dev.flotilla.clusterapi.coverage;

import org.jspecify.annotations.NullMarked;
