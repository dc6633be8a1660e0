/**
 * The checks around a call: conditions of objects, HTTP and PromQL, asked for one machine. What is asked over HTTP comes from
 * campaigns, which a whole fleet shares: which hosts may be asked is the site's to say.
 */
@NullMarked
package dev.flotilla.nodeworker.checks;

import org.jspecify.annotations.NullMarked;
