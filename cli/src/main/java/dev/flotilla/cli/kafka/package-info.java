/**
 * Access of commands to the fleet's tables: Kafka settings, snapshots as of one instant, and writing one row and
 * waiting for the answer. Knows no command. May use {@code schemas}, {@code core} and {@code runtime}; uses Kafka only
 * through the module {@code kafka}.
 */
@NullMarked
package dev.flotilla.cli.kafka;

import org.jspecify.annotations.NullMarked;
