/**
 * What is done to one machine: {@link dev.flotilla.nodeworker.node.K8sdNodeUpgrader} has the order (4). Its parts locate
 * and inspect the node, run checks, prepare it (guards, cordon and drain), check the preconditions of the call, and send
 * requests to its k8sd. {@link dev.flotilla.nodeworker.node.NodeUpgraderFactory} gives each part what it needs of the site.
 */
@NullMarked
package dev.flotilla.nodeworker.node;

import org.jspecify.annotations.NullMarked;
