/**
 * JSON values with their lines, read from JSON or YAML and written as canonical JSON. Only this package depends on the parsers'
 * libraries, so their exceptions and defaults do not leave it. Independent of the rows.
 */
@NullMarked
package dev.flotilla.schemas.json.tree;

import org.jspecify.annotations.NullMarked;
