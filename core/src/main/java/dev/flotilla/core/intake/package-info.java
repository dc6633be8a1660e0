/**
 * What an arriving row leads to: inventory, intents, policies, campaigns and orders are taken, or refused with a reason.
 */
@NullMarked
package dev.flotilla.core.intake;

import org.jspecify.annotations.NullMarked;
