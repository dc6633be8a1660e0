package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Durations;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Histograms as {@code {"worker": {"26": 14, "27": 3}}}: by class, then by bucket, and only buckets with something in. */
record DurationsCodec() implements Codec<List<Durations>> {
    private static final int MAX_BUCKETS = 128;

    @Override
    public @Nullable List<Durations> read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj classes)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        List<Durations> durations = new ArrayList<>();
        for (int i = 0; i < classes.size(); i++) {
            problems.enter(classes.name(i));
            Durations.Counts counts = counts(classes.value(i), problems);
            problems.leave();
            if (counts != null) {
                durations.add(new Durations(classes.name(i), counts));
            }
        }
        return durations.size() == classes.size() ? durations : null;
    }

    private static Durations.@Nullable Counts counts(Tree tree, Problems problems) {
        if (!(tree instanceof Obj buckets)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        int[] counts = new int[0];
        for (int i = 0; i < buckets.size(); i++) {
            int bucket = Numbered.parse(buckets.name(i), MAX_BUCKETS);
            Integer count = bucket < 0 ? null : Scalars.COUNT.read(buckets.value(i), problems);
            if (bucket < 0) {
                problems.badValue(buckets.value(i), "stands under no bucket: " + buckets.name(i), null);
            }
            if (count == null) {
                return null;
            }
            counts = Arrays.copyOf(counts, Math.max(counts.length, bucket + 1));
            counts[bucket] = count;
        }
        return Durations.Counts.of(counts);
    }

    @Override
    public void write(JsonWriter out, List<Durations> value) {
        out.beginObject();
        for (Durations durations : value) {
            out.name(durations.machineClass());
            out.beginObject();
            Durations.Counts counts = durations.counts();
            for (int bucket = 0; bucket < counts.buckets(); bucket++) {
                if (counts.get(bucket) > 0) {
                    out.name(Integer.toString(bucket));
                    out.whole(counts.get(bucket));
                }
            }
            out.endObject();
        }
        out.endObject();
    }

    @Override
    public Obj schema() {
        Obj count = new Obj.Builder().put("type", "integer").put("minimum", 0).build();
        Obj buckets = new Obj.Builder()
                .put("type", "object")
                .put("description", "How many, by bucket; the bounds of buckets grow by a quarter.")
                .put("additionalProperties", count)
                .build();
        return new Obj.Builder()
                .put("type", "object")
                .put("additionalProperties", buckets)
                .build();
    }
}
