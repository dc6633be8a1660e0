/**
 * Names and keys of sites, clusters, machines, owners, campaigns, waves and orders. Constructors validate them, so code that
 * receives one does not validate it again. Depends only on the JDK.
 */
@NullMarked
package dev.flotilla.schemas.id;

import org.jspecify.annotations.NullMarked;
