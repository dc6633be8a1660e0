/** What tells one edition of a campaign from another. Uses the canonical bytes of rows; the core may use it. */
@NullMarked
package dev.flotilla.schemas.edition;

import org.jspecify.annotations.NullMarked;
