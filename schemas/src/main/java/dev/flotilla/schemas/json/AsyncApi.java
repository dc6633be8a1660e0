package dev.flotilla.schemas.json;

import dev.flotilla.schemas.json.rows.RowType;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.PrettyJson;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The AsyncAPI 3.0 document of all topics: who writes and reads which rows, under which keys, with which settings. */
public final class AsyncApi {
    public static final String FILE_NAME = "asyncapi.json";

    private static final String BINDING = "0.5.0";
    private static final int BROKERS = 3;

    private AsyncApi() {}

    /** The document, as it stands in its file. */
    public static String document() {
        return PrettyJson.print(new Obj.Builder()
                .put("asyncapi", "3.0.0")
                .put(
                        "info",
                        new Obj.Builder()
                                .put("title", "Flotilla")
                                .put("version", Integer.toString(Wire.SCHEMA_VERSION))
                                .put(
                                        "description",
                                        "The tables through which Flotilla's parts talk. Every topic but the journal is"
                                                + " compacted: the newest row of a key is the truth, a tombstone removes"
                                                + " it.")
                                .put(
                                        "license",
                                        new Obj.Builder()
                                                .put("name", "Apache-2.0")
                                                .put("url", "https://www.apache.org/licenses/LICENSE-2.0")
                                                .build())
                                .build())
                .put("defaultContentType", "application/json")
                .put("channels", channels())
                .put("operations", operations())
                .put(
                        "components",
                        new Obj.Builder()
                                .put("messages", messages())
                                .put(
                                        "schemas",
                                        new Obj.Builder()
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

    private static Obj channels() {
        Obj.Builder channels = new Obj.Builder();
        for (Table table : Table.values()) {
            channels.put(table.label(), channel(table));
        }
        return channels.build();
    }

    private static Obj channel(Table table) {
        Obj.Builder messages = new Obj.Builder();
        for (RowType type : types(table)) {
            messages.put(type.label(), ref("#/components/messages/" + type.label()));
        }
        Obj.Builder channel = new Obj.Builder()
                .put("address", Topic.PREFIX + table.label() + (table.ofSite() ? ".{site}" : ""))
                .put("title", table.label())
                .put("description", table.purpose() + " Keys: " + KeyForms.of(table) + "." + partitioning(table))
                .put("messages", messages.build());
        if (table.ofSite()) {
            Obj site = new Obj.Builder()
                    .put("description", "The site's name. Its topics are its own, so that ACLs can keep sites apart.")
                    .build();
            channel.put("parameters", new Obj.Builder().put("site", site).build());
        }
        return channel.put(
                        "bindings", new Obj.Builder().put("kafka", kafka(table)).build())
                .put("x-topic-settings", settings(table))
                .build();
    }

    /** Which partition a key belongs to: none of the hashes that clients use by themselves. */
    private static String partitioning(Table table) {
        return table.partitions() == 1
                ? ""
                : " Partition: h modulo " + table.partitions()
                        + ", not negative, where h begins with 0 and becomes, in 32"
                        + " bits with a sign, 31 h + c for each UTF-16 unit c of <namespace>/<name>. That is Java's"
                        + " String.hashCode() and Math.floorMod(), and neither murmur2 nor CRC32: a client must set the"
                        + " partition, and may not leave it to its partitioner.";
    }

    private static Obj kafka(Table table) {
        Obj configuration = new Obj.Builder()
                .put("cleanup.policy", List.of(table.compacted() ? "compact" : "delete"))
                .put("max.message.bytes", Topics.MAX_MESSAGE_BYTES)
                .build();
        return new Obj.Builder()
                .put("partitions", table.partitions())
                .put("replicas", Topics.replicas(BROKERS))
                .put("topicConfiguration", configuration)
                .put("bindingVersion", BINDING)
                .build();
    }

    private static Obj settings(Table table) {
        Obj.Builder settings = new Obj.Builder();
        for (Map.Entry<String, String> setting : Topics.settings(table, BROKERS).entrySet()) {
            settings.put(setting.getKey(), setting.getValue());
        }
        return settings.build();
    }

    private static Obj operations() {
        Obj.Builder operations = new Obj.Builder();
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

    private static Obj operation(Table table, String who, String action) {
        String does = action.equals("send") ? " writes " : " reads ";
        return new Obj.Builder()
                .put("action", action)
                .put("channel", ref("#/channels/" + table.label()))
                .put("summary", who + does + table.label() + ".")
                .build();
    }

    private static Obj messages() {
        Obj.Builder messages = new Obj.Builder();
        for (RowType type : RowType.values()) {
            Obj schema = type.schema();
            Obj key = new Obj.Builder()
                    .put("type", "string")
                    .put("description", KeyForms.of(type.table()))
                    .build();
            Obj kafka = new Obj.Builder()
                    .put("key", key)
                    .put("bindingVersion", BINDING)
                    .build();
            Obj.Builder message = new Obj.Builder().put("name", type.label()).put("title", type.label());
            if (schema.get("description") instanceof Tree.Text text) {
                message.put("summary", text.value());
            }
            Obj payload = new Obj.Builder()
                    .put("schemaFormat", "application/schema+json;version=draft-2020-12")
                    .put("schema", ref("./" + Schemas.fileName(type)))
                    .build();
            messages.put(
                    type.label(),
                    message.put("description", Schemas.size(type))
                            .put("contentType", "application/json")
                            .put("headers", ref("#/components/schemas/headers"))
                            .put("payload", payload)
                            .put(
                                    "bindings",
                                    new Obj.Builder().put("kafka", kafka).build())
                            .build());
        }
        return messages.build();
    }

    private static Obj headers() {
        Obj properties = new Obj.Builder()
                .put(
                        WireHeaders.TYPE,
                        described(
                                "The type of the row. Where people write (campaigns, orders, policies) topic and key tell"
                                        + " it as well."))
                .put(
                        WireHeaders.SCHEMA_VERSION,
                        described("The version of the row's form, " + Wire.SCHEMA_VERSION
                                + " now. A reader refuses a later one than it knows."))
                .put(WireHeaders.SEQ, described("On the orchestrator's rows: the journal record that wrote them."))
                .build();
        return new Obj.Builder()
                .put("type", "object")
                .put("properties", properties)
                .build();
    }

    private static Obj described(String text) {
        return new Obj.Builder().put("type", "string").put("description", text).build();
    }

    private static Obj ref(String to) {
        return new Obj.Builder().put("$ref", to).build();
    }
}
