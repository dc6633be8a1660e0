/**
 * The wire contract: every table's rows as records, the types they are made of, and the topics that carry them. Names
 * are parsed into types here, once, at the edge; everything behind takes them as true. Needs no module of ours. The
 * JSON of the rows lives in its own package, so that whoever only handles rows sees no parser.
 */
@NullMarked
package dev.flotilla.schemas;

import org.jspecify.annotations.NullMarked;
