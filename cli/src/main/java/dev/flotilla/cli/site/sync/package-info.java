/** {@code flotilla site sync}: keeps the roles of a site current while clusters come and go. */
@NullMarked
package dev.flotilla.cli.site.sync;

import org.jspecify.annotations.NullMarked;
