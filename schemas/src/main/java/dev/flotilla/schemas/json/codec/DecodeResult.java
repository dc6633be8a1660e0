package dev.flotilla.schemas.json.codec;

import java.util.List;

/** What came of decoding. */
public sealed interface DecodeResult<T> {

    /** The value is as it should be. */
    record Accepted<T>(T value) implements DecodeResult<T> {}

    /** There is no value; the reasons, at least one, in the order in which they were found. */
    record Rejected<T>(List<RejectionDetail> rejections) implements DecodeResult<T> {
        public Rejected {
            rejections = List.copyOf(rejections);
        }

        /** The reason that is told where there is room for one. */
        public RejectionDetail firstRejection() {
            return rejections.get(0);
        }
    }

    /** Refuses for one reason. */
    static <T> DecodeResult<T> rejected(RejectionDetail rejectionDetail) {
        return new Rejected<>(List.of(rejectionDetail));
    }
}
