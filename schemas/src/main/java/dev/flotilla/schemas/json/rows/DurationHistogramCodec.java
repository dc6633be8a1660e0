package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.DurationHistogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for duration histograms, {@code {"worker": {"26": 14, "27": 3}}}: by class, then by non-empty bucket. */
record DurationHistogramCodec() implements JsonCodec<List<DurationHistogram>> {
    private static final int MAX_BUCKETS = 128;

    @Override
    public @Nullable List<DurationHistogram> read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader classes)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        List<DurationHistogram> durations = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            problems.enter(classes.name(i));
            DurationHistogram.BucketCounts counts = counts(classes.value(i), problems);
            problems.leave();
            if (counts != null) {
                durations.add(new DurationHistogram(classes.name(i), counts));
            }
        }
        return durations.size() == classes.size() ? durations : null;
    }

    private static DurationHistogram.@Nullable BucketCounts counts(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader buckets)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        int[] counts = new int[0];
        for (int i = 0; i < buckets.size(); i++) {
            int bucket = NumericFieldNameParser.parse(buckets.name(i), MAX_BUCKETS);
            Integer count = bucket < 0 ? null : ScalarCodecs.COUNT.read(buckets.value(i), problems);
            if (bucket < 0) {
                problems.addBadValue(
                        buckets.value(i), "has the key " + buckets.name(i) + ", which is not a bucket number", null);
            }
            if (count == null) {
                return null;
            }
            counts = Arrays.copyOf(counts, Math.max(counts.length, bucket + 1));
            counts[bucket] = count;
        }
        return DurationHistogram.BucketCounts.of(counts);
    }

    @Override
    public void write(JsonWriter out, List<DurationHistogram> value) {
        out.beginObject();
        for (DurationHistogram durationHistogram : value) {
            out.name(durationHistogram.machineClass());
            out.beginObject();
            DurationHistogram.BucketCounts counts = durationHistogram.counts();
            for (int bucket = 0; bucket < counts.buckets(); bucket++) {
                if (counts.get(bucket) > 0) {
                    out.name(Integer.toString(bucket));
                    out.integer(counts.get(bucket));
                }
            }
            out.endObject();
        }
        out.endObject();
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader count = new JsonObjectReader.Builder()
                .put("type", "integer")
                .put("minimum", 0)
                .build();
        JsonObjectReader buckets = new JsonObjectReader.Builder()
                .put("type", "object")
                .put(
                        "description",
                        "Count by bucket; the upper bound of each bucket is a quarter larger than that of the one before.")
                .put("additionalProperties", count)
                .build();
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("additionalProperties", buckets)
                .build();
    }
}
