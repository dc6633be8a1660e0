/** What people see of a change that is not covered: an Event and a condition on the owner of the machines. */
@NullMarked
package dev.flotilla.clusterapi.report;

import org.jspecify.annotations.NullMarked;
