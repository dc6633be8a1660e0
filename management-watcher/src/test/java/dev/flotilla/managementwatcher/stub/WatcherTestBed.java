package dev.flotilla.managementwatcher.stub;

import dev.flotilla.testkit.kafka.LocalKafka;

/**
 * A real management cluster and a real Kafka for any number of sites, whose watchers have exactly the watcher's role.
 */
public record WatcherTestBed(LocalKafka kafka, ManagementTestBed bed) implements AutoCloseable {
    public static WatcherTestBed start() throws Exception {
        return new WatcherTestBed(LocalKafka.start(), ManagementTestBed.start());
    }

    public WatchedTestSite site(String name) throws Exception {
        return new WatchedTestSite(
                kafka.bootstrap(), name, bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default");
    }

    @Override
    public void close() {
        bed.close();
        kafka.close();
    }
}
