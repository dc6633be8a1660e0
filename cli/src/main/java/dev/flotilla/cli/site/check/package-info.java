/**
 * Checks that a site has what upgrades need: of Kafka, and of its management cluster, with the caller's rights. Each
 * check returns results with what to do, and changes nothing. Content of Secrets is neither shown nor kept.
 */
@NullMarked
package dev.flotilla.cli.site.check;

import org.jspecify.annotations.NullMarked;
