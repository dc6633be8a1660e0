/**
 * Reads Kafka and, if it is allowed to, writes the one order: freeze. The only package of the auditor that uses the
 * Kafka client.
 */
@NullMarked
package dev.flotilla.auditor.follow;

import org.jspecify.annotations.NullMarked;
