/**
 * The read-only HTTP API. Each operation is declared once: the route, its checks and its part of the OpenAPI document come
 * from that declaration. Questions to the state are short and bounded, whatever the size of the fleet.
 */
@NullMarked
package dev.flotilla.orchestrator.api;

import org.jspecify.annotations.NullMarked;
