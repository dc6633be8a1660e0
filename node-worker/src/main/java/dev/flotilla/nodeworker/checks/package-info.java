/**
 * Health checks around a call, for one machine: conditions of objects, HTTP and PromQL. HTTP checks come from campaigns
 * of the whole fleet, so the site decides which hosts they may use.
 */
@NullMarked
package dev.flotilla.nodeworker.checks;

import org.jspecify.annotations.NullMarked;
