package dev.flotilla.clusterapi.plan;

import dev.flotilla.clusterapi.coverage.CoverageTable;
import dev.flotilla.kube.KubeObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is made of.
 *
 * @param present the objects as they are
 * @param changes whole or partial objects
 * @param cluster namespace and name; null if the objects have only one
 * @param defaults what the settings of an ExtensionConfig add to
 * @param live whether the objects are read from a management cluster, so that an object that is not there does not exist
 * @param now the time, for rollouts that begin at a time
 */
public record PlanInput(
        List<KubeObject> present,
        List<KubeObject> changes,
        @Nullable String cluster,
        CoverageTable defaults,
        boolean live,
        Instant now) {
    public PlanInput {
        present = List.copyOf(present);
        changes = List.copyOf(changes);
    }
}
