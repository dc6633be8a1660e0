/**
 * The kit from which the rows' forms are declared: a record's fields, unions, lists and scalars, each of which reads,
 * writes and describes itself. Problems are collected as values; nothing here throws because of what a document says.
 * Knows no row and no parser.
 */
@NullMarked
package dev.flotilla.schemas.json.codec;

import org.jspecify.annotations.NullMarked;
