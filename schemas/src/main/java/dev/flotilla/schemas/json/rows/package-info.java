/**
 * The form of every row, declared with the kit: which members there are, what they may hold, what they mean. One file for
 * each subject; {@code Keys} writes and reads the keys of the tables. Public only for the package above.
 */
@NullMarked
package dev.flotilla.schemas.json.rows;

import org.jspecify.annotations.NullMarked;
