package dev.flotilla.managementwatcher.publish;

import dev.flotilla.runtime.kafka.TransactionalWriter;
import dev.flotilla.schemas.json.WireRecord;
import java.util.function.Consumer;

/**
 * What is on its way to the tables, in transactions of some records each. A record goes out as soon as it is made: those of a whole
 * site would be as large as all that is kept of it.
 */
final class Outgoing implements Consumer<WireRecord> {
    private static final int MOST = 1_000;

    private final TransactionalWriter writer;
    private final WatcherListener listener;
    private int open;

    Outgoing(TransactionalWriter writer, WatcherListener listener) {
        this.writer = writer;
        this.listener = listener;
    }

    @Override
    public void accept(WireRecord record) {
        if (open == 0) {
            writer.begin();
        }
        writer.send(record);
        open++;
        if (open == MOST) {
            end();
        }
    }

    /** Makes what was sent count. */
    void end() {
        if (open > 0) {
            writer.commit();
            listener.published(open);
            open = 0;
        }
    }
}
