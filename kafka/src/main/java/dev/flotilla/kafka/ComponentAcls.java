package dev.flotilla.kafka;

import static dev.flotilla.schemas.id.Table.APPROVALS;
import static dev.flotilla.schemas.id.Table.AUDITOR_ORDERS;
import static dev.flotilla.schemas.id.Table.CAMPAIGNS;
import static dev.flotilla.schemas.id.Table.CAMPAIGN_STATUS;
import static dev.flotilla.schemas.id.Table.COMMANDS;
import static dev.flotilla.schemas.id.Table.FREEZES;
import static dev.flotilla.schemas.id.Table.HEAD;
import static dev.flotilla.schemas.id.Table.INTENTS;
import static dev.flotilla.schemas.id.Table.INVENTORY;
import static dev.flotilla.schemas.id.Table.JOURNAL;
import static dev.flotilla.schemas.id.Table.ORDERS;
import static dev.flotilla.schemas.id.Table.POLICIES;
import static dev.flotilla.schemas.id.Table.PROGRESS;
import static dev.flotilla.schemas.id.Table.REJECTED;
import static dev.flotilla.schemas.id.Table.STATUS;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The ACLs that each component needs in Kafka, and no others.
 *
 * <p>ACLs for one site or the fleet have the full topic name. ACLs of the orchestrator and of readers for every site's topics have
 * the table's prefix, such as {@code flotilla.status.}: names of sites have no dots, so the prefix matches only that table,
 * and a new site needs no new ACL.
 *
 * <p>An ACL applies to topics, not to keys, and a reader of a topic does not see who wrote a record. So there is one topic for each
 * permission of people: a campaign author writes {@code campaigns}, an operator {@code orders} (run, pause, abort, skip,
 * retry, write off), an approver {@code approvals}, a freezer {@code freezes}, a policy editor {@code policies}. A person
 * with two of these roles gets both permissions. The auditor writes {@code auditor-orders}, where only a freeze of the fleet
 * is accepted.
 *
 * <p>{@code IDEMPOTENT_WRITE} on the cluster is not needed: a principal that may write a topic may do it idempotently. READ and
 * WRITE imply DESCRIBE; a principal with neither cannot see that the topic exists.
 */
public final class ComponentAcls {
    /** The consumer group of the orchestrators; one member is the leader. */
    public static final String LEADER_GROUP = "flotilla.leader";

    public static final String ORCHESTRATOR_TRANSACTIONS = "flotilla.orchestrator";

    private static final Table[] READER_TABLES = {
        INVENTORY,
        STATUS,
        CAMPAIGNS,
        ORDERS,
        APPROVALS,
        FREEZES,
        AUDITOR_ORDERS,
        POLICIES,
        CAMPAIGN_STATUS,
        HEAD,
        JOURNAL,
        REJECTED
    };

    private ComponentAcls() {}

    /** Returns the consumer group of a site's workers. */
    public static String workerGroup(SiteId site) {
        return "flotilla.worker." + site;
    }

    /** Returns the transactional id of the worker that owns a partition of a site's commands. */
    public static String workerTransactions(SiteId site, int partition) {
        return workerTransactions(site) + partition;
    }

    /** Returns the transactional id of a site's watcher. */
    public static String watcherTransactions(SiteId site) {
        return "flotilla.watcher." + site;
    }

    /** Returns the ACLs of a component under its default name. */
    public static List<AclBinding> bindingsFor(KafkaAclPrincipal kafkaAclPrincipal) {
        return bindingsFor(kafkaAclPrincipal, kafkaAclPrincipal.defaultName());
    }

    /** Returns the ACLs of a component under another name. */
    public static List<AclBinding> bindingsFor(KafkaAclPrincipal kafkaAclPrincipal, String name) {
        AclBindingBuilder aclBindingBuilder = new AclBindingBuilder("User:" + name);
        switch (kafkaAclPrincipal) {
            case KafkaAclPrincipal.Watcher watcher -> watcher(aclBindingBuilder, watcher.site());
            case KafkaAclPrincipal.Worker worker -> worker(aclBindingBuilder, worker.site());
            case KafkaAclPrincipal.Orchestrator orchestrator -> orchestrator(aclBindingBuilder);
            case KafkaAclPrincipal.Auditor auditor ->
                aclBindingBuilder.read(Table.values()).write(AUDITOR_ORDERS);
            case KafkaAclPrincipal.CampaignAuthor author ->
                reader(aclBindingBuilder).write(CAMPAIGNS);
            case KafkaAclPrincipal.Operator operator ->
                reader(aclBindingBuilder).write(ORDERS);
            case KafkaAclPrincipal.Approver approver ->
                reader(aclBindingBuilder).write(APPROVALS);
            case KafkaAclPrincipal.Freezer freezer -> reader(aclBindingBuilder).write(FREEZES);
            case KafkaAclPrincipal.PolicyEditor keeper ->
                reader(aclBindingBuilder).write(POLICIES);
            case KafkaAclPrincipal.Reader reader -> reader(aclBindingBuilder);
            case KafkaAclPrincipal.CampaignController controller ->
                aclBindingBuilder
                        .read(CAMPAIGNS, POLICIES, ORDERS, APPROVALS, FREEZES, CAMPAIGN_STATUS, REJECTED, HEAD)
                        .write(CAMPAIGNS, POLICIES, ORDERS, APPROVALS, FREEZES);
            case KafkaAclPrincipal.TopicAdministrator administrator -> administrator(aclBindingBuilder);
        }
        return aclBindingBuilder.bindings();
    }

    /** What each person may read: the state of the fleet, and which orchestrator is its leader. */
    private static AclBindingBuilder reader(AclBindingBuilder aclBindingBuilder) {
        return aclBindingBuilder.read(READER_TABLES).describeGroup(LEADER_GROUP);
    }

    private static void watcher(AclBindingBuilder aclBindingBuilder, SiteId site) {
        aclBindingBuilder
                .readAt(site, INVENTORY, INTENTS, STATUS)
                .writeAt(site, INVENTORY, INTENTS)
                .useTransactionalId(watcherTransactions(site), PatternType.LITERAL);
    }

    private static void worker(AclBindingBuilder aclBindingBuilder, SiteId site) {
        aclBindingBuilder
                .readAt(site, COMMANDS, PROGRESS)
                .writeAt(site, PROGRESS)
                .consumeAsGroup(workerGroup(site))
                .useTransactionalId(workerTransactions(site), PatternType.PREFIXED);
    }

    private static void orchestrator(AclBindingBuilder aclBindingBuilder) {
        aclBindingBuilder
                .read(Table.values())
                .write(STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED)
                .consumeAsGroup(LEADER_GROUP)
                .useTransactionalId(ORCHESTRATOR_TRANSACTIONS, PatternType.LITERAL)
                // It checks the settings of topics, because some could lose data.
                .add(ResourceType.TOPIC, PatternType.PREFIXED, Topic.PREFIX, AclOperation.DESCRIBE_CONFIGS);
    }

    /**
     * Kafka has one permission for trimming a topic and for deleting it, so the orchestrator does not get it. The principal that
     * trims the journal must also read where its chapters begin.
     */
    private static void administrator(AclBindingBuilder aclBindingBuilder) {
        for (AclOperation operation : List.of(AclOperation.CREATE, AclOperation.DESCRIBE, AclOperation.ALTER_CONFIGS)) {
            aclBindingBuilder.add(ResourceType.TOPIC, PatternType.PREFIXED, Topic.PREFIX, operation);
        }
        aclBindingBuilder
                .read(HEAD, JOURNAL)
                .add(ResourceType.TOPIC, PatternType.LITERAL, Topic.of(JOURNAL).name(), AclOperation.DELETE);
    }

    /** Returns the prefix of the transactional ids of a site's workers. It ends with a dot, so that it matches no other site. */
    private static String workerTransactions(SiteId site) {
        return "flotilla.worker." + site + ".";
    }
}
