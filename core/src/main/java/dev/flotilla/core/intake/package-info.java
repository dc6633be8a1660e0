/** Accepts or rejects input rows: inventory, intents, policies, campaigns and orders. */
@NullMarked
package dev.flotilla.core.intake;

import org.jspecify.annotations.NullMarked;
