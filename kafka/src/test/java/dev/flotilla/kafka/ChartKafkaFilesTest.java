package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

/**
 * The charts create the topics of the catalogue and the users with the ACLs of the code, as objects of Strimzi;
 * {@code -Dflotilla.rewrite=true} writes their files again.
 */
class ChartKafkaFilesTest {
    private static final Path CHARTS = Path.of("../deploy/charts");
    private static final int BROKERS = 3;

    private static final String HEAD = """
            # Topics and users in Kafka. Written by ChartKafkaFilesTest from what the code says; the templates make Strimzi's objects of it.
            """;

    @Test
    void fleetHasTheTopicsAndUsersOfTheCode() throws IOException {
        compare("flotilla-fleet", file(TopicCatalogue.fleetTopics(), AclGrantScriptTest.OF_FLEET));
    }

    @Test
    void siteHasTheTopicsAndUsersOfTheCode() throws IOException {
        compare("flotilla-site", file(TopicCatalogue.siteTopics(AclGrantScriptTest.SITE), AclGrantScriptTest.OF_SITE));
    }

    private static void compare(String chart, String wanted) throws IOException {
        Path file = CHARTS.resolve(chart).resolve("files/kafka.yaml");
        if (Boolean.getBoolean("flotilla.rewrite")) {
            Files.writeString(file, wanted);
        }
        assertThat(Files.readString(file)).isEqualTo(wanted);
    }

    private static String file(List<Topic> topics, List<KafkaAclPrincipal> users) {
        StringBuilder text = new StringBuilder(HEAD).append("topics:\n");
        for (Topic topic : topics) {
            text.append("  - name: ").append(named(topic.name())).append('\n');
            text.append("    partitions: ").append(topic.table().partitions()).append('\n');
            text.append("    config:\n");
            TopicCatalogue.settings(topic.table(), BROKERS)
                    .forEach((setting, value) -> text.append("      ")
                            .append(setting)
                            .append(": \"")
                            .append(value)
                            .append("\"\n"));
        }
        text.append("users:\n");
        users.forEach(user -> appendUser(text, ComponentAcls.bindingsFor(user)));
        return text.toString();
    }

    /** Strimzi takes one entry for each resource, with its operations. */
    private static void appendUser(StringBuilder text, List<AclBinding> acls) {
        Map<ResourcePattern, StringBuilder> operations = new LinkedHashMap<>();
        for (AclBinding acl : acls) {
            StringBuilder names = operations.computeIfAbsent(acl.pattern(), pattern -> new StringBuilder());
            names.append(names.isEmpty() ? "" : ", ")
                    .append(operation(acl.entry().operation()));
        }
        String principal = acls.getFirst().entry().principal().substring("User:".length());
        text.append("  - name: ").append(named(principal)).append("\n    acls:\n");
        operations.forEach((pattern, names) -> text.append("      - resource: {type: ")
                .append(type(pattern.resourceType()))
                .append(", name: ")
                .append(named(pattern.name()))
                .append(", patternType: ")
                .append(pattern.patternType() == PatternType.PREFIXED ? "prefix" : "literal")
                .append("}\n        operations: [")
                .append(names)
                .append("]\n"));
    }

    private static String named(String text) {
        return text.replace(AclGrantScriptTest.SITE.name(), "$site");
    }

    private static String operation(AclOperation operation) {
        return switch (operation) {
            case READ -> "Read";
            case WRITE -> "Write";
            case CREATE -> "Create";
            case DELETE -> "Delete";
            case DESCRIBE -> "Describe";
            case ALTER_CONFIGS -> "AlterConfigs";
            case DESCRIBE_CONFIGS -> "DescribeConfigs";
            default -> throw new IllegalArgumentException("no component has the right to " + operation);
        };
    }

    private static String type(ResourceType type) {
        return switch (type) {
            case TOPIC -> "topic";
            case GROUP -> "group";
            case TRANSACTIONAL_ID -> "transactionalId";
            default -> throw new IllegalArgumentException("no component has rights on " + type);
        };
    }
}
