package dev.flotilla.schemas.json.codec;

import java.util.List;

/** The result of decoding. */
public sealed interface DecodeResult<T> {

    /** The value is valid. */
    record Accepted<T>(T value) implements DecodeResult<T> {}

    /** The value is not valid; the reasons, at least one, are in the order in which they were found. */
    record Rejected<T>(List<RejectionDetail> rejections) implements DecodeResult<T> {
        public Rejected {
            rejections = List.copyOf(rejections);
        }

        /** Returns the first reason, for places with room for one. */
        public RejectionDetail firstRejection() {
            return rejections.get(0);
        }
    }

    /** Returns a rejection with one reason. */
    static <T> DecodeResult<T> rejected(RejectionDetail rejectionDetail) {
        return new Rejected<>(List.of(rejectionDetail));
    }
}
