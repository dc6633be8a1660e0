package dev.flotilla.orchestrator.view;

/** The queue of questions is full. Whoever asked may ask again later. */
public final class QueryQueueFullException extends Exception {
    public QueryQueueFullException(int waiting) {
        super(waiting + " questions are waiting", null, false, false);
    }
}
