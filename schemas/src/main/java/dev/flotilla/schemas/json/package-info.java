/**
 * How rows stand on the wire. {@code Wire} turns a record of Kafka into a fact and back, {@code Codecs} a value alone,
 * and {@code Schemas} and {@code AsyncApiDocument} describe both. Whatever a record holds, the answer is a value: the row, or the
 * reasons why there is none. The only package, with those below it, that knows a parser.
 */
@NullMarked
package dev.flotilla.schemas.json;

import org.jspecify.annotations.NullMarked;
