/**
 * Faulty orchestrators: the real process with one gate replaced. They are test code, so that no setting of the product
 * can enable a fault.
 */
@NullMarked
package dev.flotilla.e2e.fault;

import org.jspecify.annotations.NullMarked;
