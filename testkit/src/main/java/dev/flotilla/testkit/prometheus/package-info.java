/** A real Prometheus on this machine, if one is installed. */
@NullMarked
package dev.flotilla.testkit.prometheus;

import org.jspecify.annotations.NullMarked;
