/**
 * The auditor, a second program that checks the invariants from the topics alone. It shares no code with the
 * orchestrator. This package has its entry point; {@code json} and {@code wire} decode, {@code model} counts,
 * {@code check} has the rules, {@code follow} reads Kafka and {@code program} handles options and pages.
 */
@NullMarked
package dev.flotilla.auditor;

import org.jspecify.annotations.NullMarked;
