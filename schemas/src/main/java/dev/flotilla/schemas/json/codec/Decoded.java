package dev.flotilla.schemas.json.codec;

import java.util.List;

/** What came of decoding. */
public sealed interface Decoded<T> {

    /** The value is as it should be. */
    record Accepted<T>(T value) implements Decoded<T> {}

    /** There is no value; the reasons, at least one, in the order in which they were found. */
    record Refused<T>(List<Rejection> rejections) implements Decoded<T> {
        public Refused {
            rejections = List.copyOf(rejections);
        }

        /** The reason that is told where there is room for one. */
        public Rejection first() {
            return rejections.get(0);
        }
    }

    /** Refuses for one reason. */
    static <T> Decoded<T> refused(Rejection rejection) {
        return new Refused<>(List.of(rejection));
    }
}
