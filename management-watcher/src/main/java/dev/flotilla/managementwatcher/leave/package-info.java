/** What is removed from the objects of a management cluster when its site leaves Flotilla. May use the views of objects. */
@NullMarked
package dev.flotilla.managementwatcher.leave;

import org.jspecify.annotations.NullMarked;
