/**
 * The wire contract: the rows of every table as records, their types, and the topics that carry them. Names are parsed into
 * types once, here; other modules rely on that. Depends on no other module of Flotilla. The JSON form of rows has a
 * package of its own, so code that only uses rows does not depend on a parser.
 */
@NullMarked
package dev.flotilla.schemas;

import org.jspecify.annotations.NullMarked;
