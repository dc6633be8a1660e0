package dev.flotilla.kafka;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Builds the ACLs of one principal, from any host. */
final class AclBindingBuilder {
    private static final String ANY_HOST = "*";

    private final List<AclBinding> bindings = new ArrayList<>();
    private final String principal;

    AclBindingBuilder(String principal) {
        this.principal = principal;
    }

    List<AclBinding> bindings() {
        return List.copyOf(bindings);
    }

    /** Allows to read tables of the fleet or of every site. */
    AclBindingBuilder read(Table... tables) {
        return addForEverySite(AclOperation.READ, tables);
    }

    /** Allows to write tables of the fleet or of every site. */
    AclBindingBuilder write(Table... tables) {
        return addForEverySite(AclOperation.WRITE, tables);
    }

    AclBindingBuilder readAt(SiteId site, Table... tables) {
        return addForSite(site, AclOperation.READ, tables);
    }

    AclBindingBuilder writeAt(SiteId site, Table... tables) {
        return addForSite(site, AclOperation.WRITE, tables);
    }

    /** Allows to be a member of a consumer group. */
    AclBindingBuilder consumeAsGroup(String name) {
        return add(ResourceType.GROUP, PatternType.LITERAL, name, AclOperation.READ);
    }

    /** Allows to see the members of a consumer group. */
    AclBindingBuilder describeGroup(String name) {
        return add(ResourceType.GROUP, PatternType.LITERAL, name, AclOperation.DESCRIBE);
    }

    /** Allows to write with a transactional id, which fences the producer that used it before. */
    AclBindingBuilder useTransactionalId(String id, PatternType pattern) {
        return add(ResourceType.TRANSACTIONAL_ID, pattern, id, AclOperation.WRITE);
    }

    AclBindingBuilder add(ResourceType type, PatternType pattern, String name, AclOperation operation) {
        bindings.add(new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry(principal, ANY_HOST, operation, AclPermissionType.ALLOW)));
        return this;
    }

    private AclBindingBuilder addForEverySite(AclOperation operation, Table... tables) {
        for (Table table : tables) {
            if (table.isPerSite()) {
                add(ResourceType.TOPIC, PatternType.PREFIXED, Topic.PREFIX + table.label() + ".", operation);
            } else {
                add(ResourceType.TOPIC, PatternType.LITERAL, Topic.of(table).name(), operation);
            }
        }
        return this;
    }

    private AclBindingBuilder addForSite(SiteId site, AclOperation operation, Table... tables) {
        for (Table table : tables) {
            add(ResourceType.TOPIC, PatternType.LITERAL, new Topic(table, site).name(), operation);
        }
        return this;
    }
}
