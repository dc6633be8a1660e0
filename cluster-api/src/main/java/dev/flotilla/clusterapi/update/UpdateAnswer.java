package dev.flotilla.clusterapi.update;

import dev.flotilla.schemas.json.tree.JsonObjectReader;

/** What an {@code UpdateMachine} request is answered. */
public sealed interface UpdateAnswer {

    /**
     * The update goes on, or waits.
     *
     * @param message is shown in the Machine's condition {@code Updating}: only text that does not change while the state does not
     */
    record InProgress(int retryAfterSeconds, String message) implements UpdateAnswer {}

    /** The machine is at the target. */
    record Done() implements UpdateAnswer {}

    /** The update has failed; Cluster API asks again. */
    record Failed(String message) implements UpdateAnswer {}

    /**
     * A task is created first.
     *
     * @param round which task of the machine it is, from 1
     */
    record CreateTask(String name, int round, JsonObjectReader task) implements UpdateAnswer {}
}
