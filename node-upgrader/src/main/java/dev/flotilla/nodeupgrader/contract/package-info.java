/**
 * NodeUpgrades and UpgradePlans, read from their objects. They are a contract with other controllers and with authors of plans,
 * so a value that the CRD would reject is a problem with a text, and never an exception.
 */
@NullMarked
package dev.flotilla.nodeupgrader.contract;

import org.jspecify.annotations.NullMarked;
