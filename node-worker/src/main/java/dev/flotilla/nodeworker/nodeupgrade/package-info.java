/**
 * Requests about NodeUpgrades, the objects by which another controller upgrades a node. Start with {@link
 * dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeCaller}, which creates the one object of an attempt, and {@link
 * dev.flotilla.nodeworker.nodeupgrade.NodeUpgradeStatusClassifier}, which says what an object's status means. Nothing that a
 * status says proves that a node is at its target.
 */
@NullMarked
package dev.flotilla.nodeworker.nodeupgrade;

import org.jspecify.annotations.NullMarked;
