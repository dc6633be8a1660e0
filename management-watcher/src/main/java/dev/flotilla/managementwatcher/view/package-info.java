/** Views of the objects of a management cluster: a slim projection of each, in whatever version it is served. Pure. */
@NullMarked
package dev.flotilla.managementwatcher.view;

import org.jspecify.annotations.NullMarked;
