/** Spans of attempts, and their export by OTLP over HTTP. Only this package imports the OpenTelemetry SDK. */
@NullMarked
package dev.flotilla.tracing;

import org.jspecify.annotations.NullMarked;
