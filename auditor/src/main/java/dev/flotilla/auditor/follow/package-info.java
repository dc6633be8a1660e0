/** Reads Kafka and, if it may, writes the one order: freeze. The only place of the auditor that knows the client. */
@NullMarked
package dev.flotilla.auditor.follow;

import org.jspecify.annotations.NullMarked;
