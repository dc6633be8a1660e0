/**
 * Whether a site has what an upgrade needs: of Kafka, and of its management cluster, which is asked with the rights of whoever
 * calls. Each part gives verdicts with what to do, and changes nothing. What it reads of Secrets is neither shown nor kept.
 */
@NullMarked
package dev.flotilla.cli.site.check;

import org.jspecify.annotations.NullMarked;
