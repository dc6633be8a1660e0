/**
 * A second program that says whether the invariants hold, from the topics alone. It shares no code with what it checks:
 * here is its entry point; {@code json} and {@code wire} read, {@code model} counts, {@code check} judges, {@code follow}
 * knows Kafka and {@code program} the operator.
 */
@NullMarked
package dev.flotilla.auditor;

import org.jspecify.annotations.NullMarked;
