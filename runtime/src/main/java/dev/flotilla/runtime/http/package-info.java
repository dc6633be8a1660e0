/**
 * The HTTP server of every application: health, metrics and the application's routes. It is read-only, all its resources are
 * limited, and it requires authentication unless it listens on the loopback. Applications add routes; authentication, error
 * responses and limits are the same for all.
 */
@NullMarked
package dev.flotilla.runtime.http;

import org.jspecify.annotations.NullMarked;
