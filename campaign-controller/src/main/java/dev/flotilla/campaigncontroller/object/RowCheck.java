package dev.flotilla.campaigncontroller.object;

import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;

/** Checks that a row can be read by those that will read it: defaults are part of it, so it may be larger than its manifest. */
final class RowCheck {
    private RowCheck() {}

    /** Returns why a row would not be read; empty if it would. */
    static List<String> findProblems(RowChange row) {
        return switch (WireRecordCodec.decode(WireRecordCodec.encode(row))) {
            case DecodeResult.Accepted<RowChange> accepted -> List.of();
            case DecodeResult.Rejected<RowChange> rejected ->
                rejected.rejections().stream()
                        .map(rejection -> "as a row in Kafka: " + rejection)
                        .toList();
        };
    }
}
