/**
 * JSON codecs for records, unions, lists and scalars, from which the codecs of rows are declared. A codec reads, writes and
 * describes a value. Problems are collected as values; no codec throws because of a document's content. Independent of
 * the rows and of the parsers.
 */
@NullMarked
package dev.flotilla.schemas.json.codec;

import org.jspecify.annotations.NullMarked;
