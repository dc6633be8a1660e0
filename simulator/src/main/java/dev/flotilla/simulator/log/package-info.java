/**
 * Kafka's guarantees, as far as the design relies on them: order within a partition, compaction, transactions with one
 * fencing epoch per transactional id, and readers of committed records. It promises nothing that Kafka does not. May
 * use {@code world} and the rows.
 */
@NullMarked
package dev.flotilla.simulator.log;

import org.jspecify.annotations.NullMarked;
