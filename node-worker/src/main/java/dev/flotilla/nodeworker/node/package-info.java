/**
 * What is done to one machine: {@link dev.flotilla.nodeworker.node.AttemptNodeUpgrader} has the order (4). Its parts locate
 * and inspect the node, run checks, prepare it (guards, cordon and drain), check the preconditions of the call, and call
 * its upgrade provider ({@link dev.flotilla.nodeworker.node.UpgradeProviderClient}). {@link dev.flotilla.nodeworker.node.NodeUpgraderFactory} gives each part what it needs of the site.
 */
@NullMarked
package dev.flotilla.nodeworker.node;

import org.jspecify.annotations.NullMarked;
