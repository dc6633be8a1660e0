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

/** A Kubernetes object or a part of one. Every field may be absent, because API versions differ. */
public record KubeObject(JsonObjectReader json) {
    /** An object without fields. */
    public static final KubeObject EMPTY = new KubeObject(new JsonObjectReader.Builder().build());

    /** Parses an object in the text of another; null if the text is no object. */
    public static @Nullable KubeObject parse(@Nullable String text) {
        return text != null
                        && JsonReader.read(text.getBytes(StandardCharsets.UTF_8), DocumentLimits.TEXT)
                                instanceof ParseResult.ParsedDocument parsedDocument
                        && parsedDocument.value() instanceof JsonObjectReader jsonObjectReader
                ? new KubeObject(jsonObjectReader)
                : null;
    }

    /**
     * Parses the body of a request, whose texts may be whole files; null if it is no object with each name once and at most so many values.
     */
    public static @Nullable KubeObject parseBody(byte[] body, int maxBytes, int maxValues) {
        return countValues(body) <= maxValues
                        && JsonReader.readDocument(body, maxBytes) instanceof ParseResult.ParsedDocument parsed
                        && parsed.errors().isEmpty()
                        && parsed.value() instanceof JsonObjectReader object
                ? new KubeObject(object)
                : null;
    }

    /** Returns how many objects, lists and further values begin in a text. */
    private static int countValues(byte[] body) {
        int values = 0;
        boolean isInText = false;
        for (int i = 0; i < body.length; i++) {
            if (body[i] == '"') {
                isInText = !isInText;
            } else if (isInText && body[i] == '\\') {
                i++;
            } else if (!isInText && (body[i] == ',' || body[i] == '{' || body[i] == '[')) {
                values++;
            }
        }
        return values;
    }

    /** Returns the JSON text of a value. */
    public static String toJsonText(JsonValue jsonValue) {
        JsonWriter out = new JsonWriter();
        out.jsonValue(jsonValue);
        return new String(out.toBytes(), StandardCharsets.UTF_8);
    }

    /** Returns the value at a path; null if there is none. */
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

    /** Whether a path has a value. */
    public boolean has(String... path) {
        return valueAt(path) != null;
    }

    /** Returns the text at a path; null if there is none. */
    public @Nullable String text(String... path) {
        return valueAt(path) instanceof JsonValue.JsonString jsonString ? jsonString.value() : null;
    }

    /** Whether the value at a path is true. */
    public boolean bool(String... path) {
        return valueAt(path) instanceof JsonValue.JsonBoolean jsonBoolean && jsonBoolean.value();
    }

    /** Returns the number at a path; null if there is none. */
    public @Nullable Long number(String... path) {
        return valueAt(path) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : null;
    }

    /** Returns the instant at a path; null if there is no valid one. */
    public @Nullable Instant instant(String... path) {
        String text = text(path);
        try {
            return text == null ? null : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns the object at a path; an empty one if there is none. */
    public KubeObject object(String... path) {
        return valueAt(path) instanceof JsonObjectReader jsonObjectReader ? new KubeObject(jsonObjectReader) : EMPTY;
    }

    /** Returns the objects of the list at a path. */
    public List<KubeObject> list(String... path) {
        return valueAt(path) instanceof JsonValue.JsonArray jsonArray
                ? jsonArray.items().stream()
                        .filter(JsonObjectReader.class::isInstance)
                        .map(item -> new KubeObject((JsonObjectReader) item))
                        .toList()
                : List.of();
    }

    /** Returns the texts of the list at a path. */
    public List<String> texts(String... path) {
        return valueAt(path) instanceof JsonValue.JsonArray jsonArray
                ? jsonArray.items().stream()
                        .filter(JsonValue.JsonString.class::isInstance)
                        .map(item -> ((JsonValue.JsonString) item).value())
                        .toList()
                : List.of();
    }

    /** Returns the value of an annotation; null if there is none. */
    public @Nullable String annotation(String name) {
        return text("metadata", "annotations", name);
    }

    /** Returns the value of a label; null if there is none. */
    public @Nullable String label(String name) {
        return text("metadata", "labels", name);
    }

    /** Returns the labels. */
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

    /** Returns the condition of a type; null if there is none. */
    public @Nullable KubeObject condition(String type) {
        for (KubeObject condition : list("status", "conditions")) {
            if (type.equals(condition.text("type"))) {
                return condition;
            }
        }
        return null;
    }

    /** Whether the condition of a type has a status. */
    public boolean isCondition(String type, String status) {
        KubeObject condition = condition(type);
        return condition != null && status.equals(condition.text("status"));
    }

    /** Returns the owner reference of its controller; null if there is none. */
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

    /** Returns kind, namespace and name, never the content, which may be secret. */
    @Override
    public String toString() {
        return orEmpty(text("kind")) + " " + namespace() + "/" + name();
    }
}
