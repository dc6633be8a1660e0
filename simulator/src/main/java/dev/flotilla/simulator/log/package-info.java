/**
 * Kafka's guarantees as far as the design leans on them: order within a partition, compaction, transactions with one
 * fencing epoch per transactional id, and readers that see what is committed and nothing else. Nothing that Kafka does
 * not promise is promised here. May use {@code world} and the rows.
 */
@NullMarked
package dev.flotilla.simulator.log;

import org.jspecify.annotations.NullMarked;
