/** Cluster API's runtime hooks on the wire: their paths, requests and responses. */
@NullMarked
package dev.flotilla.clusterapi.hook;

import org.jspecify.annotations.NullMarked;
