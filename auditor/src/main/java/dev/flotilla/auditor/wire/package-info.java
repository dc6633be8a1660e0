/** The rows in the topics, decoded independently: only the members that a rule uses. May use {@code json} only. */
@NullMarked
package dev.flotilla.auditor.wire;

import org.jspecify.annotations.NullMarked;
