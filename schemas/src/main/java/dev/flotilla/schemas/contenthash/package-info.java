/** The content hash of campaigns. It uses the canonical bytes of rows; the core may use it. */
@NullMarked
package dev.flotilla.schemas.contenthash;

import org.jspecify.annotations.NullMarked;
