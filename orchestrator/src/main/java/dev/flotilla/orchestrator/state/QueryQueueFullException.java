package dev.flotilla.orchestrator.state;

/** The query queue is full. The caller may retry later. */
public final class QueryQueueFullException extends Exception {
    public QueryQueueFullException(int waiting) {
        super(waiting + " queries are waiting, which is the limit: retry later", null, false, false);
    }
}
