/** The rows after a decision, and counts over them. May use {@code wire}. */
@NullMarked
package dev.flotilla.auditor.model;

import org.jspecify.annotations.NullMarked;
