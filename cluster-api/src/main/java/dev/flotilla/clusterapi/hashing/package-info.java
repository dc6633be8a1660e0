/** Hashes of specs, with a key that is the site's own. */
@NullMarked
package dev.flotilla.clusterapi.hashing;

import org.jspecify.annotations.NullMarked;
