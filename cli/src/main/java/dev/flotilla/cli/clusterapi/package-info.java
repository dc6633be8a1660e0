/** Commands about Cluster API's objects. They need no Kafka. */
@NullMarked
package dev.flotilla.cli.clusterapi;

import org.jspecify.annotations.NullMarked;
