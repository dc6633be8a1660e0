/** The node-upgrader's configuration. */
@NullMarked
package dev.flotilla.nodeupgrader.config;

import org.jspecify.annotations.NullMarked;
