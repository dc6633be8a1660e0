/** What a node reports about the steps of its upgrade, read from files on the node by the pods of the upgrade. */
@NullMarked
package dev.flotilla.nodeupgrader.report;

import org.jspecify.annotations.NullMarked;
