/**
 * The JSON form of every row: its members, their values and descriptions. Public only for the parent package.
 */
@NullMarked
package dev.flotilla.schemas.json.rows;

import org.jspecify.annotations.NullMarked;
