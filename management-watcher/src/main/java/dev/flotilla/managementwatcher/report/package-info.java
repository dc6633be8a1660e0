/**
 * Status reporting: writes annotations, conditions and Events back to the objects, and removes guards that were left
 * behind.
 */
@NullMarked
package dev.flotilla.managementwatcher.report;

import org.jspecify.annotations.NullMarked;
