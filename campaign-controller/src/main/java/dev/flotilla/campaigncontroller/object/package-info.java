/** Campaigns, policies and orders as they are in the hub cluster. Knows nothing of Kafka. */
@NullMarked
package dev.flotilla.campaigncontroller.object;

import org.jspecify.annotations.NullMarked;
