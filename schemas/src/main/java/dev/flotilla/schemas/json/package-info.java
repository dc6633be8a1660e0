/**
 * The JSON form of rows on the wire. {@code WireRecordCodec} encodes and decodes Kafka records, {@code RowCodec} their values;
 * {@code RowJsonSchemas} and {@code AsyncApiDocument} describe both. Decoding never throws: the result is the row or the
 * reasons why the record is rejected. Only this package and its subpackages depend on a parser.
 */
@NullMarked
package dev.flotilla.schemas.json;

import org.jspecify.annotations.NullMarked;
