/** What a node-worker is told at its start. */
@NullMarked
package dev.flotilla.nodeworker.config;

import org.jspecify.annotations.NullMarked;
