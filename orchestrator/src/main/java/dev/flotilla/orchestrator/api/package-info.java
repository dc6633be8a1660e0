/**
 * The read-only HTTP API. Each operation is declared once: its route, its checks and its part of the OpenAPI document
 * come from that declaration. Queries of the state are short and bounded, whatever the size of the fleet.
 */
@NullMarked
package dev.flotilla.orchestrator.api;

import org.jspecify.annotations.NullMarked;
