/**
 * The rules: what must hold of each decision on the rows before it, of each worker's word, and between the journal and
 * the tables. May use {@code wire} and {@code model}; knows nothing of Kafka, and no clock but the one it is told.
 */
@NullMarked
package dev.flotilla.auditor.check;

import org.jspecify.annotations.NullMarked;
