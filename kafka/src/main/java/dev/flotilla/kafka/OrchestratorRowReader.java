package dev.flotilla.kafka;

import dev.flotilla.runtime.log.LogKey;
import dev.flotilla.runtime.process.NewerVersion;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads rows of the orchestrator in a process of a site. One that cannot be read is logged and ignored. */
public final class OrchestratorRowReader {
    private static final Logger LOG = LoggerFactory.getLogger(OrchestratorRowReader.class);

    private final String process;

    /**
     * Makes a reader.
     *
     * @param process the process that reads, such as {@code node-worker}: it may be older than the orchestrator
     */
    public OrchestratorRowReader(String process) {
        this.process = process;
    }

    /** Returns the row; null if it cannot be read. */
    public @Nullable RowChange read(ConsumedRecord consumedRecord) {
        return switch (WireRecordCodec.decode(consumedRecord.record())) {
            case DecodeResult.Accepted<RowChange> accepted -> accepted.value();
            case DecodeResult.Rejected<RowChange> rejected -> {
                LOG.atError()
                        .addKeyValue(LogKey.PARTITION.label(), consumedRecord.partition())
                        .addKeyValue(LogKey.OFFSET.label(), consumedRecord.offset())
                        .addKeyValue(
                                LogKey.REASON.label(), rejected.firstRejection().toString())
                        .addKeyValue(LogKey.REMEDY.label(), NewerVersion.remedy(process))
                        .log("unreadable row ignored");
                yield null;
            }
        };
    }
}
