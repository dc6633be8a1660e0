package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.leader.InputRecord;
import dev.flotilla.core.leader.RejectedRecordFactory;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.json.TimeZoneValidator;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A polled record with its decoded content, decoded at the first access. Two threads may decode it at once; both get
 * the same result, and neither waits for the other.
 */
public final class DecodedRecord implements InputRecord {
    private final ConsumedRecord consumedRecord;
    private volatile @Nullable DecodeResult<RowChange> decodeResult;

    public DecodedRecord(ConsumedRecord consumedRecord) {
        this.consumedRecord = consumedRecord;
    }

    ConsumedRecord consumedRecord() {
        return consumedRecord;
    }

    DecodeResult<RowChange> decode() {
        DecodeResult<RowChange> result = decodeResult;
        if (result == null) {
            result = WireRecordCodec.decode(consumedRecord.record());
            decodeResult = result;
        }
        return result;
    }

    @Override
    public TablePartition partition() {
        return consumedRecord.partition();
    }

    @Override
    public long offset() {
        return consumedRecord.offset();
    }

    @Override
    public @Nullable String writtenKey() {
        return consumedRecord.record().key();
    }

    @Override
    public long appendedAt() {
        return consumedRecord.appendedAt();
    }

    @Override
    public @Nullable RowChange rowChange() {
        return decode() instanceof DecodeResult.Accepted<RowChange> accepted ? accepted.value() : null;
    }

    @Override
    public @Nullable RejectedRecord findDefect(Instant at) {
        return switch (decode()) {
            case DecodeResult.Rejected<RowChange> rejected -> rejectedRow(rejected.firstRejection(), at, false);
            case DecodeResult.Accepted<RowChange> accepted -> {
                List<RejectionDetail> defects =
                        TimeZoneValidator.findProblems(accepted.value(), TimeZoneRules::isKnownToJvm);
                yield defects.isEmpty() ? null : rejectedRow(defects.getFirst(), at, true);
            }
        };
    }

    private RejectedRecord rejectedRow(RejectionDetail detail, Instant at, boolean readable) {
        return new RejectedRecord(
                RejectedRecordFactory.keyOf(partition(), writtenKey()),
                offset(),
                detail.reason(),
                detail.path(),
                detail.value(),
                detail.hint() == null ? detail.problem() : detail.problem() + " (" + detail.hint() + ")",
                at,
                readable,
                null);
    }
}
