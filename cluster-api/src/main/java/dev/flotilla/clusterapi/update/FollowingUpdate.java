package dev.flotilla.clusterapi.update;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeObject;

/** What of an update is done by others, once the node upgrader has done its part. */
@FunctionalInterface
public interface FollowingUpdate {

    /** Begins it or asks how it stands. Only what all others have done is done. */
    UpdateAnswer update(CoverageTable table, KubeObject request);
}
