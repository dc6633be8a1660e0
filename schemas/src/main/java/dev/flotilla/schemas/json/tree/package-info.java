/**
 * A document as a tree that remembers its lines, and how it is read from JSON or YAML and written as canonical bytes.
 * The parsers' libraries are imported here and nowhere else, so that their exceptions and their defaults stay here too.
 * Knows nothing of rows.
 */
@NullMarked
package dev.flotilla.schemas.json.tree;

import org.jspecify.annotations.NullMarked;
