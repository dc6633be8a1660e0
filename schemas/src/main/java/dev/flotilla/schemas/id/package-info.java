/**
 * What things are called: sites, clusters, machines, owners, campaigns, waves, orders. Names are checked when they are
 * made, so that past the edge nobody checks them again. Imports nothing but the JDK.
 */
@NullMarked
package dev.flotilla.schemas.id;

import org.jspecify.annotations.NullMarked;
