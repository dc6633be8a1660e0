/**
 * The audit rules: for each decision on the rows before it, for each worker's report, and between journal and tables.
 * May use {@code wire} and {@code model}; does not use Kafka or a clock other than the one that is passed in.
 */
@NullMarked
package dev.flotilla.auditor.check;

import org.jspecify.annotations.NullMarked;
