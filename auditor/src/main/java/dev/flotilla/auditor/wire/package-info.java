/** What stands in the topics, read anew: only what a check asks for. May use {@code json} and nothing else. */
@NullMarked
package dev.flotilla.auditor.wire;

import org.jspecify.annotations.NullMarked;
