/**
 * The configuration of a node-worker, and the settings of its site.
 */
@NullMarked
package dev.flotilla.nodeworker.config;

import org.jspecify.annotations.NullMarked;
