/** How many machines of each campaign have ended, as the API of an orchestrator counts them. Nothing is decided by it. */
@NullMarked
package dev.flotilla.campaigncontroller.counts;

import org.jspecify.annotations.NullMarked;
