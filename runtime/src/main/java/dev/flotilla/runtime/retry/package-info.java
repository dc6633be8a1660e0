/** When a failed operation is retried. */
@NullMarked
package dev.flotilla.runtime.retry;

import org.jspecify.annotations.NullMarked;
