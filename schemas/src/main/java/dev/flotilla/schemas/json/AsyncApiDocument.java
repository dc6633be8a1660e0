package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The AsyncAPI 3.0 document of all topics: their writers, readers, rows, keys and settings. */
final class AsyncApiDocument {
    public static final String FILE_NAME = "asyncapi.json";

    private static final String BINDING = "0.5.0";
    private static final int BROKERS = 3;

    private AsyncApiDocument() {}

    /** Returns the document as in its file. */
    public static String document() {
        return PrettyJsonPrinter.print(new JsonObjectReader.Builder()
                .put("asyncapi", "3.0.0")
                .put(
                        "info",
                        new JsonObjectReader.Builder()
                                .put("title", "Flotilla")
                                .put("version", Integer.toString(WireRecordCodec.SCHEMA_VERSION))
                                .put(
                                        "description",
                                        "The tables through which Flotilla's components communicate. Every topic but the journal is"
                                                + " compacted: the newest row of a key counts, a tombstone deletes it.")
                                .put(
                                        "license",
                                        new JsonObjectReader.Builder()
                                                .put("name", "Apache-2.0")
                                                .put("url", "https://www.apache.org/licenses/LICENSE-2.0")
                                                .build())
                                .build())
                .put("defaultContentType", "application/json")
                .put("channels", channels())
                .put("operations", operations())
                .put(
                        "components",
                        new JsonObjectReader.Builder()
                                .put("messages", messages())
                                .put(
                                        "schemas",
                                        new JsonObjectReader.Builder()
                                                .put("headers", headers())
                                                .build())
                                .build())
                .build());
    }

    private static List<RowType> types(Table table) {
        List<RowType> types = new ArrayList<>();
        for (RowType type : RowType.values()) {
            if (type.table() == table) {
                types.add(type);
            }
        }
        return types;
    }

    private static JsonObjectReader channels() {
        JsonObjectReader.Builder channels = new JsonObjectReader.Builder();
        for (Table table : Table.values()) {
            channels.put(table.label(), channel(table));
        }
        return channels.build();
    }

    private static JsonObjectReader channel(Table table) {
        JsonObjectReader.Builder messages = new JsonObjectReader.Builder();
        for (RowType type : types(table)) {
            messages.put(type.label(), reference("#/components/messages/" + type.label()));
        }
        JsonObjectReader.Builder channel = new JsonObjectReader.Builder()
                .put("address", Topic.PREFIX + table.label() + (table.isPerSite() ? ".{site}" : ""))
                .put("title", table.label())
                .put(
                        "description",
                        table.purpose() + " Keys: " + TableKeyDescriptions.describe(table) + "." + partitioning(table))
                .put("messages", messages.build());
        if (table.isPerSite()) {
            JsonObjectReader site = new JsonObjectReader.Builder()
                    .put(
                            "description",
                            "The site's name. Each site has its own topics, so that ACLs can separate sites.")
                    .build();
            channel.put(
                    "parameters",
                    new JsonObjectReader.Builder().put("site", site).build());
        }
        return channel.put(
                        "bindings",
                        new JsonObjectReader.Builder()
                                .put("kafka", kafka(table))
                                .build())
                .put("x-topic-settings", settings(table))
                .build();
    }

    /** Describes the partition of a key: it is not the one that Kafka clients choose by default. */
    private static String partitioning(Table table) {
        return table.partitions() == 1
                ? ""
                : " Partition: h modulo " + table.partitions()
                        + ", not negative, where h begins with 0 and becomes 31 h + c,"
                        + " in signed 32-bit arithmetic, for each UTF-16 unit c of <namespace>/<name>. That is Java's"
                        + " String.hashCode() and Math.floorMod(), neither murmur2 nor CRC32: a client must set the"
                        + " partition and must not leave it to its partitioner.";
    }

    private static JsonObjectReader kafka(Table table) {
        JsonObjectReader configuration = new JsonObjectReader.Builder()
                .put("cleanup.policy", List.of(table.compacted() ? "compact" : "delete"))
                .put("max.message.bytes", TopicCatalogue.MAX_MESSAGE_BYTES)
                .build();
        return new JsonObjectReader.Builder()
                .put("partitions", table.partitions())
                .put("replicas", TopicCatalogue.replicas(BROKERS))
                .put("topicConfiguration", configuration)
                .put("bindingVersion", BINDING)
                .build();
    }

    private static JsonObjectReader settings(Table table) {
        JsonObjectReader.Builder settings = new JsonObjectReader.Builder();
        for (Map.Entry<String, String> setting :
                TopicCatalogue.settings(table, BROKERS).entrySet()) {
            settings.put(setting.getKey(), setting.getValue());
        }
        return settings.build();
    }

    private static JsonObjectReader operations() {
        JsonObjectReader.Builder operations = new JsonObjectReader.Builder();
        for (Table table : Table.values()) {
            for (String writer : table.writers()) {
                operations.put(writer + "-writes-" + table.label(), operation(table, writer, "send"));
            }
            for (String reader : table.readers()) {
                operations.put(reader + "-reads-" + table.label(), operation(table, reader, "receive"));
            }
        }
        return operations.build();
    }

    private static JsonObjectReader operation(Table table, String who, String action) {
        String does = action.equals("send") ? " writes " : " reads ";
        return new JsonObjectReader.Builder()
                .put("action", action)
                .put("channel", reference("#/channels/" + table.label()))
                .put("summary", who + does + table.label() + ".")
                .build();
    }

    private static JsonObjectReader messages() {
        JsonObjectReader.Builder messages = new JsonObjectReader.Builder();
        for (RowType type : RowType.values()) {
            JsonObjectReader schema = type.schema();
            JsonObjectReader key = new JsonObjectReader.Builder()
                    .put("type", "string")
                    .put("description", TableKeyDescriptions.describe(type.table()))
                    .build();
            JsonObjectReader kafka = new JsonObjectReader.Builder()
                    .put("key", key)
                    .put("bindingVersion", BINDING)
                    .build();
            JsonObjectReader.Builder message =
                    new JsonObjectReader.Builder().put("name", type.label()).put("title", type.label());
            if (schema.get("description") instanceof JsonValue.JsonString jsonString) {
                message.put("summary", jsonString.value());
            }
            JsonObjectReader payload = new JsonObjectReader.Builder()
                    .put("schemaFormat", "application/schema+json;version=draft-2020-12")
                    .put("schema", reference("./" + RowJsonSchemas.fileName(type)))
                    .build();
            messages.put(
                    type.label(),
                    message.put("description", RowJsonSchemas.size(type))
                            .put("contentType", "application/json")
                            .put("headers", reference("#/components/schemas/headers"))
                            .put("payload", payload)
                            .put(
                                    "bindings",
                                    new JsonObjectReader.Builder()
                                            .put("kafka", kafka)
                                            .build())
                            .build());
        }
        return messages.build();
    }

    private static JsonObjectReader headers() {
        JsonObjectReader properties = new JsonObjectReader.Builder()
                .put(
                        WireHeaders.TYPE,
                        describedText(
                                "The type of the row. Operators (campaigns, orders, policies) may leave it out, because topic"
                                        + " and key imply it."))
                .put(
                        WireHeaders.SCHEMA_VERSION,
                        describedText("The version of the row's form, now " + WireRecordCodec.SCHEMA_VERSION
                                + ". A reader rejects a later version than it knows."))
                .put(
                        WireHeaders.SEQ,
                        describedText(
                                "On the orchestrator's rows: the seq of the journal record of the decision that wrote them."))
                .put(
                        WireHeaders.TRACEPARENT,
                        describedText(
                                "On commands, progress and the status of a machine, from processes that export traces:"
                                        + " the W3C trace context of the attempt. Nothing is decided by it."))
                .build();
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("properties", properties)
                .build();
    }

    private static JsonObjectReader describedText(String text) {
        return new JsonObjectReader.Builder()
                .put("type", "string")
                .put("description", text)
                .build();
    }

    private static JsonObjectReader reference(String to) {
        return new JsonObjectReader.Builder().put("$ref", to).build();
    }
}
