/** The certificate pins of a site's machines, stored in the management cluster for all workers of the site. */
@NullMarked
package dev.flotilla.nodeworker.pins;

import org.jspecify.annotations.NullMarked;
