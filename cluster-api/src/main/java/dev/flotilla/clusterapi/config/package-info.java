/** The extension's configuration. */
@NullMarked
package dev.flotilla.clusterapi.config;

import org.jspecify.annotations.NullMarked;
