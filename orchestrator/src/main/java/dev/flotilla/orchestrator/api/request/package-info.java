/**
 * The parameters of a request: parsed strictly, declared once for parser and document.
 */
@NullMarked
package dev.flotilla.orchestrator.api.request;

import org.jspecify.annotations.NullMarked;
