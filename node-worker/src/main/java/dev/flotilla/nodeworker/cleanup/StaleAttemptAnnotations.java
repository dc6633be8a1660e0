package dev.flotilla.nodeworker.cleanup;

import dev.flotilla.nodeworker.management.AttemptAnnotation;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What attempts have left on a machine and its node.
 *
 * @param uid uid of the Machine
 * @param node name of the Node; null for none
 * @param guards attempt annotation of the Machine; null for none
 * @param cordon attempt annotation of the Node; null for none
 */
public record StaleAttemptAnnotations(
        MachineKey key,
        String uid,
        ClusterKey cluster,
        @Nullable String node,
        @Nullable AttemptAnnotation guards,
        @Nullable AttemptAnnotation cordon) {

    /** Whether nothing is left. */
    public boolean isEmpty() {
        return guards == null && cordon == null;
    }

    /** Returns the attempts that left something, usually one. */
    public List<Long> attempts() {
        List<Long> attempts = new ArrayList<>();
        if (guards != null) {
            attempts.add(guards.attempt());
        }
        if (cordon != null && (guards == null || guards.attempt() != cordon.attempt())) {
            attempts.add(cordon.attempt());
        }
        return attempts;
    }
}
