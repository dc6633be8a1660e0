package dev.flotilla.campaigncontroller.sync;

import dev.flotilla.campaigncontroller.object.HubKind;
import dev.flotilla.campaigncontroller.object.HubObject;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a kind. Finished Orders are counted and not kept, because they stay until somebody deletes them. A list of many
 * pages takes longer than the Lease, which is renewed meanwhile. Used once.
 */
final class ObjectListReader {
    private static final int MAX_UNFINISHED = 10_000;

    private final HubKind kind;
    private final SyncLease lease;
    private final List<HubObject> unfinished = new ArrayList<>();
    private int count;
    private boolean isHeld = true;

    ObjectListReader(HubKind kind, SyncLease lease) {
        this.kind = kind;
        this.lease = lease;
    }

    /** Reads all pages. Returns the problem; null for none. */
    @Nullable
    String read(KubeApiClient api, String namespace) {
        String problem = api.forEachObject(kind.listPath(namespace), "", Integer.MAX_VALUE, this::add);
        return problem == null && unfinished.size() > MAX_UNFINISHED
                ? "there are more than " + MAX_UNFINISHED + " " + kind.plural() + " that are not finished, and none is"
                        + " reconciled until some are deleted"
                : problem;
    }

    private void add(KubeObject json) {
        // One that cannot read the Lease must not try that again for each object.
        isHeld = isHeld && lease.takeOrRenew();
        count++;
        HubObject object = new HubObject(kind, json);
        boolean isFinished = kind == HubKind.ORDER && OrderReconciler.isFinished(object);
        if (!isFinished && unfinished.size() <= MAX_UNFINISHED) {
            unfinished.add(object);
        }
    }

    /** Returns how many there are, the finished ones included. */
    int count() {
        return count;
    }

    /** Returns those that are not finished, the oldest first. An Order that may have been written comes before those that were not. */
    List<HubObject> unfinished() {
        unfinished.sort(Comparator.comparing((HubObject object) -> !OrderReconciler.mayBeWritten(object))
                .thenComparing(HubObject::createdAt)
                .thenComparing(HubObject::name));
        return unfinished;
    }
}
