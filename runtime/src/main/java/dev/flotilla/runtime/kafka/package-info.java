/**
 * The one place where Kafka's client is used: settings, topics, rights, and reading and writing of partitions. The
 * client's traps (threads, revocation, fencing, classes named in properties) are handled here, once. Nothing of the
 * client's own types leaves the package but as a property map.
 */
@NullMarked
package dev.flotilla.runtime.kafka;

import org.jspecify.annotations.NullMarked;
