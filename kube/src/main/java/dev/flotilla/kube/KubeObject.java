package dev.flotilla.kube;

import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object of an API server, or a part of one. Versions differ in what they hold, so that nothing is taken for granted. */
public record KubeObject(JsonObjectReader json) {

    /** Reads one that stands as text in another; null where it is none. */
    public static @Nullable KubeObject parse(@Nullable String text) {
        return text != null
                        && JsonReader.read(text.getBytes(StandardCharsets.UTF_8), DocumentLimits.TEXT)
                                instanceof ParseResult.ParsedDocument parsedDocument
                        && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader
                ? new KubeObject(jsonObjectReader)
                : null;
    }

    /** A tree as text. */
    public static String toJsonText(JsonValue jsonValue) {
        JsonWriter out = new JsonWriter();
        out.jsonValue(jsonValue);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    /** What is at a place; null where nothing is. */
    public @Nullable JsonValue valueAt(String... path) {
        JsonValue here = json;
        for (String name : path) {
            here = here instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get(name) : null;
            if (here == null) {
                return null;
            }
        }
        return here instanceof JsonValue.JsonNull ? null : here;
    }

    /** Whether anything is there. */
    public boolean has(String... path) {
        return valueAt(path) != null;
    }

    /** The text at a place; null where there is none. */
    public @Nullable String text(String... path) {
        return valueAt(path) instanceof JsonValue.JsonString jsonString ? jsonString.value() : null;
    }

    /** Whether something is said to be true. */
    public boolean bool(String... path) {
        return valueAt(path) instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
    }

    /** The number at a place; null where there is none. */
    public @Nullable Long number(String... path) {
        return valueAt(path) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : null;
    }

    /** The instant at a place; null where there is none that can be read. */
    public @Nullable Instant instant(String... path) {
        String text = text(path);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** A part of it; an empty one where there is none. */
    public KubeObject object(String... path) {
        return new KubeObject(
                valueAt(path) instanceof JsonObjectReader jsonObjectReader
                        ? jsonObjectReader
                        : new JsonObjectReader.Builder().build());
    }

    /** The objects of a list. */
    public List<KubeObject> list(String... path) {
        return valueAt(path) instanceof JsonValue.JsonArray jsonArray
                ? jsonArray.items().stream()
                        .filter(JsonObjectReader.class::isInstance)
                        .map(item -> new KubeObject((JsonObjectReader) item))
                        .toList()
                : List.of();
    }

    /** The texts of a list. */
    public List<String> texts(String... path) {
        return valueAt(path) instanceof JsonValue.JsonArray jsonArray
                ? jsonArray.items().stream()
                        .filter(JsonValue.JsonString.class::isInstance)
                        .map(item -> ((JsonValue.JsonString) item).value())
                        .toList()
                : List.of();
    }

    /** The value of an annotation; null where there is none of that name. */
    public @Nullable String annotation(String name) {
        return text("metadata", "annotations", name);
    }

    /** The value of a label; null where there is none of that name. */
    public @Nullable String label(String name) {
        return text("metadata", "labels", name);
    }

    /** Its labels. */
    public KubeObject labels() {
        return object("metadata", "labels");
    }

    public String name() {
        return orEmpty(text("metadata", "name"));
    }

    public String namespace() {
        return orEmpty(text("metadata", "namespace"));
    }

    public String uid() {
        return orEmpty(text("metadata", "uid"));
    }

    public String resourceVersion() {
        return orEmpty(text("metadata", "resourceVersion"));
    }

    /** Whether it is being deleted. */
    public boolean isDeleting() {
        return has("metadata", "deletionTimestamp");
    }

    /** Its condition of a type; null where there is none. */
    public @Nullable KubeObject condition(String type) {
        for (KubeObject condition : list("status", "conditions")) {
            if (type.equals(condition.text("type"))) {
                return condition;
            }
        }
        return null;
    }

    /** Whether it has a condition of a type, in a status. */
    public boolean isCondition(String type, String status) {
        KubeObject condition = condition(type);
        return condition != null && status.equals(condition.text("status"));
    }

    /** The owner that controls it; null where there is none. */
    public @Nullable KubeObject controller() {
        for (KubeObject owner : list("metadata", "ownerReferences")) {
            if (owner.bool("controller")) {
                return owner;
            }
        }
        return null;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** What it is, and never what is in it. */
    @Override
    public String toString() {
        return orEmpty(text("kind")) + " " + namespace() + "/" + name();
    }
}
