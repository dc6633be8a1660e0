/**
 * Commands that write operators' orders for campaigns, sites and the fleet. Each order is one row with its author and
 * reason.
 */
@NullMarked
package dev.flotilla.cli.order;

import org.jspecify.annotations.NullMarked;
