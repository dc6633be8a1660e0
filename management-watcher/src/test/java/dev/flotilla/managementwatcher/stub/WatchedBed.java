package dev.flotilla.managementwatcher.stub;

import dev.flotilla.testkit.kafka.LocalKafka;

/** A real management cluster and a real Kafka, for any number of sites that are watched under exactly the watcher's role. */
public record WatchedBed(LocalKafka kafka, ManagementBed bed) implements AutoCloseable {
    public static WatchedBed start() throws Exception {
        return new WatchedBed(LocalKafka.start(), ManagementBed.start());
    }

    public WatchedSite site(String name) throws Exception {
        return new WatchedSite(kafka.bootstrap(), name, bed.cluster.kubeconfig(ManagementBed.WATCHER), "default");
    }

    @Override
    public void close() {
        bed.close();
        kafka.close();
    }
}
