package dev.flotilla.simulator.rollout;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A described fleet: its sites, and their clusters with their machines. */
public final class VirtualFleet {
    private final List<VirtualCluster> clusters;
    private final SortedSet<SiteId> sites = new TreeSet<>();
    private final int machines;

    private VirtualFleet(Collection<VirtualCluster> clusters, int machines) {
        this.clusters = List.copyOf(clusters);
        this.machines = machines;
        clusters.forEach(cluster -> sites.add(cluster.key().site()));
    }

    public List<VirtualCluster> clusters() {
        return clusters;
    }

    public SortedSet<SiteId> sites() {
        return Collections.unmodifiableSortedSet(sites);
    }

    /** The number of machines; they are numbered from 0. */
    public int machines() {
        return machines;
    }

    /** Collects the clusters. */
    public static final class Builder {
        private final Map<ClusterKey, VirtualCluster> clusters = new LinkedHashMap<>();
        private int machines;

        public Builder cluster(ClusterKey key, Labels labels, int controlPlanes, int workers) {
            VirtualCluster cluster = new VirtualCluster(key, labels, controlPlanes, workers, machines);
            if (clusters.putIfAbsent(key, cluster) != null) {
                throw new IllegalArgumentException("cluster " + key + " is described twice");
            }
            machines += cluster.size();
            return this;
        }

        public VirtualFleet build() {
            return new VirtualFleet(clusters.values(), machines);
        }
    }
}
