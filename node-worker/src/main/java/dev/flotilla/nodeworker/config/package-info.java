/** The configuration of a node-worker. */
@NullMarked
package dev.flotilla.nodeworker.config;

import org.jspecify.annotations.NullMarked;
