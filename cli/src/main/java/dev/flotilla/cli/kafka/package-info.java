/**
 * How verbs reach the fleet's tables: which Kafka is meant, all tables as of one instant, one row written and the
 * orchestrator's answer to it. Knows no verb. May use {@code schemas}, {@code core} and {@code runtime}, and of Kafka only
 * what {@code runtime.kafka} shows.
 */
@NullMarked
package dev.flotilla.cli.kafka;

import org.jspecify.annotations.NullMarked;
