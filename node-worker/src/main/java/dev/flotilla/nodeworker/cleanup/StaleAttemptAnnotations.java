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
 * @param uid of the machine
 * @param node its name; null where the machine has none
 * @param guards the mark on the Machine; null where there is none
 * @param cordon the mark on the Node; null where there is none
 */
public record StaleAttemptAnnotations(
        MachineKey key,
        String uid,
        ClusterKey cluster,
        @Nullable String node,
        @Nullable AttemptAnnotation guards,
        @Nullable AttemptAnnotation cordon) {

    /** Whether nothing of an attempt is there. */
    public boolean isEmpty() {
        return guards == null && cordon == null;
    }

    /** The attempts that left it, mostly one. */
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
