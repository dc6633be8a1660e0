/**
 * Removes Flotilla's annotations from the objects of a management cluster when its site leaves. May use the views of
 * objects.
 */
@NullMarked
package dev.flotilla.managementwatcher.leave;

import org.jspecify.annotations.NullMarked;
