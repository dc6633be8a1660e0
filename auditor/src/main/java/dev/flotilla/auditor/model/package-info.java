/** The rows as they stand after a decision, and what is counted of them. May use {@code wire}. */
@NullMarked
package dev.flotilla.auditor.model;

import org.jspecify.annotations.NullMarked;
