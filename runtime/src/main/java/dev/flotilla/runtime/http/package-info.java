/**
 * The HTTP server that every application opens: health, metrics, and what the application lets people ask. It only
 * reads, it is bounded in every direction, and off the loopback it answers nobody it does not know. What an application
 * adds are routes; who may ask, how errors look and what is limited is decided here.
 */
@NullMarked
package dev.flotilla.runtime.http;

import org.jspecify.annotations.NullMarked;
