/** The rows of the fleet's topics in Kafka. Knows nothing of Kubernetes. */
@NullMarked
package dev.flotilla.campaigncontroller.table;

import org.jspecify.annotations.NullMarked;
