/** What is kept of the objects of a management cluster: a slim projection of each, whatever version it is served in. Pure. */
@NullMarked
package dev.flotilla.managementwatcher.view;

import org.jspecify.annotations.NullMarked;
