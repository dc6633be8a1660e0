package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.CountOrPercent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for a number of machines such as {@code 40}, or a percentage such as {@code "5%"}. */
public record CountOrPercentCodec() implements JsonCodec<CountOrPercent> {
    private static final int MAX_COUNT = 99_999_999;
    private static final String FORM =
            "must be a number of machines from 1 to 99999999, or a percentage from \"1%\" to \"100%\"";

    @Override
    public @Nullable CountOrPercent read(JsonValue jsonValue, ProblemCollector problems) {
        CountOrPercent limit = switch (jsonValue) {
            case JsonValue.JsonString jsonString -> CountOrPercent.parse(jsonString.value());
            case JsonValue.JsonInteger jsonInteger ->
                jsonInteger.value() >= 1 && jsonInteger.value() <= MAX_COUNT
                        ? new CountOrPercent.Count((int) jsonInteger.value())
                        : null;
            case JsonValue.JsonDecimal jsonDecimal -> null;
            case JsonValue.JsonArray jsonArray -> null;
            case JsonValue.JsonBoolean jsonBoolean -> null;
            case JsonValue.JsonNull jsonNull -> null;
            case JsonObjectReader jsonObjectReader -> null;
        };
        if (limit == null) {
            if (jsonValue instanceof JsonValue.JsonString || jsonValue instanceof JsonValue.JsonInteger) {
                problems.addBadValue(jsonValue, FORM, null);
            } else {
                problems.addWrongType(jsonValue, "a number of machines, or a percentage such as \"5%\"");
            }
        }
        return limit;
    }

    @Override
    public void write(JsonWriter out, CountOrPercent value) {
        switch (value) {
            case CountOrPercent.Count count -> out.integer(count.count());
            case CountOrPercent.Percent percent -> out.text(percent.toString());
        }
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader count = new JsonObjectReader.Builder()
                .put("type", "integer")
                .put("minimum", 1)
                .put("maximum", MAX_COUNT)
                .build();
        JsonObjectReader percent = new JsonObjectReader.Builder()
                .put("type", "string")
                .put("pattern", "^([1-9][0-9]?|100)%$|^[1-9][0-9]{0,7}$")
                .build();
        return new JsonObjectReader.Builder()
                .put("anyOf", new JsonValue.JsonArray(List.of(count, percent), JsonValue.NO_LINE))
                .build();
    }
}
