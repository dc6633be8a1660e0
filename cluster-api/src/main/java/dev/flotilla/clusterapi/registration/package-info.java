/** The ExtensionConfigs of a management cluster: who serves Cluster API's hooks for in-place updates, and for which namespaces. */
@NullMarked
package dev.flotilla.clusterapi.registration;

import org.jspecify.annotations.NullMarked;
