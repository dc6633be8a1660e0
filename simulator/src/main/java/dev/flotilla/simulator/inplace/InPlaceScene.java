package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import java.time.Instant;
import java.util.Collection;

/** What those who act in an in-place world see and change of it. */
interface InPlaceScene {
    InPlaceInvariants invariants();

    Collection<InPlaceCluster> clusters();

    Instant now();

    InPlaceOperators operators();

    InPlaceCluster anyCluster();

    /** Brings a row to the core, as the watcher, a worker or an operator writes it. */
    void receive(RowChange rowChange);

    /** Removes a row, as the watcher does. */
    void remove(Table table, EntityKey key);

    /** Notes that the watcher has to publish a cluster. */
    void markChanged(InPlaceCluster cluster);

    /** Notes that the watcher has to publish a machine. */
    void markChanged(InPlaceMachine machine);

    /** Publishes all that has changed. */
    void publishAll();
}
