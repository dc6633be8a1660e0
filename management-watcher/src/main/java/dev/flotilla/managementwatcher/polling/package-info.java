/** Actions that are repeated on threads of their own. */
@NullMarked
package dev.flotilla.managementwatcher.polling;

import org.jspecify.annotations.NullMarked;
