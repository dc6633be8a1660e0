/** Which certificate each machine's k8sd may show, as the management cluster keeps it for all workers of a site. */
@NullMarked
package dev.flotilla.nodeworker.pins;

import org.jspecify.annotations.NullMarked;
