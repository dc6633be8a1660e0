/** The node-upgrader: fulfils NodeUpgrades by running the steps of their plans on the nodes. */
@NullMarked
package dev.flotilla.nodeupgrader;

import org.jspecify.annotations.NullMarked;
