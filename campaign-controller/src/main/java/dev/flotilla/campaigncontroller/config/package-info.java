/** The configuration of a campaign controller. */
@NullMarked
package dev.flotilla.campaigncontroller.config;

import org.jspecify.annotations.NullMarked;
