package dev.flotilla.runtime.kafka;

import static dev.flotilla.schemas.topic.Table.APPROVALS;
import static dev.flotilla.schemas.topic.Table.AUDITOR_ORDERS;
import static dev.flotilla.schemas.topic.Table.CAMPAIGNS;
import static dev.flotilla.schemas.topic.Table.CAMPAIGN_STATUS;
import static dev.flotilla.schemas.topic.Table.COMMANDS;
import static dev.flotilla.schemas.topic.Table.FREEZES;
import static dev.flotilla.schemas.topic.Table.HEAD;
import static dev.flotilla.schemas.topic.Table.INTENTS;
import static dev.flotilla.schemas.topic.Table.INVENTORY;
import static dev.flotilla.schemas.topic.Table.JOURNAL;
import static dev.flotilla.schemas.topic.Table.ORDERS;
import static dev.flotilla.schemas.topic.Table.POLICIES;
import static dev.flotilla.schemas.topic.Table.PROGRESS;
import static dev.flotilla.schemas.topic.Table.REJECTED;
import static dev.flotilla.schemas.topic.Table.STATUS;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What each component may do in Kafka, and nothing else.
 *
 * <p>What belongs to one site or to the fleet is granted by its whole name. What the orchestrator and the readers may do
 * in every site's topics is granted by the table's prefix, as {@code flotilla.status.}: sites' names have no dots, so it
 * is that table and no other, and a new site needs no change to anybody's rights.
 *
 * <p>An ACL sees topics and not keys, and a reader of a topic sees no principal. So each right of people is a topic: an
 * author writes {@code campaigns}, an operator {@code orders} (run, pause, abort, skip, retry, write off), an approver
 * {@code approvals}, a freezer {@code freezes}, a policy keeper {@code policies}. A person who has two of them gets both. The
 * auditor writes {@code auditor-orders}, where nothing but a freeze of the fleet is accepted.
 *
 * <p>No {@code IDEMPOTENT_WRITE} on the cluster: who may write a topic may do it idempotently. Reading and writing
 * include describing; whoever has neither does not even see that the topic is there.
 */
public final class ComponentAcls {
    /** The group whose one member leads. */
    public static final String LEADER_GROUP = "flotilla.leader";

    public static final String ORCHESTRATOR_TRANSACTIONS = "flotilla.orchestrator";

    private static final Table[] SHOWN = {
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

    /** The group of a site's workers. */
    public static String workerGroup(SiteId site) {
        return "flotilla.worker." + site;
    }

    /** The transactional id of whoever owns a partition of a site's commands. */
    public static String workerTransactions(SiteId site, int partition) {
        return workerTransactions(site) + partition;
    }

    /** The transactional id of a site's watcher. */
    public static String watcherTransactions(SiteId site) {
        return "flotilla.watcher." + site;
    }

    /** The rights of a component under its usual name. */
    public static List<AclBinding> bindingsFor(KafkaAclPrincipal kafkaAclPrincipal) {
        return bindingsFor(kafkaAclPrincipal, kafkaAclPrincipal.usualName());
    }

    /** The rights of a component under a name of the operator's choice. */
    public static List<AclBinding> bindingsFor(KafkaAclPrincipal kafkaAclPrincipal, String name) {
        AclBindingBuilder aclBindingBuilder = new AclBindingBuilder("User:" + name);
        switch (kafkaAclPrincipal) {
            case KafkaAclPrincipal.Watcher watcher -> watcher(aclBindingBuilder, watcher.site());
            case KafkaAclPrincipal.Worker worker -> worker(aclBindingBuilder, worker.site());
            case KafkaAclPrincipal.Orchestrator orchestrator -> orchestrator(aclBindingBuilder);
            case KafkaAclPrincipal.Auditor auditor ->
                aclBindingBuilder.read(Table.values()).write(AUDITOR_ORDERS);
            case KafkaAclPrincipal.CampaignAuthor author ->
                aclBindingBuilder.read(SHOWN).write(CAMPAIGNS);
            case KafkaAclPrincipal.Operator operator ->
                aclBindingBuilder.read(SHOWN).write(ORDERS);
            case KafkaAclPrincipal.Approver approver ->
                aclBindingBuilder.read(SHOWN).write(APPROVALS);
            case KafkaAclPrincipal.Freezer freezer ->
                aclBindingBuilder.read(SHOWN).write(FREEZES);
            case KafkaAclPrincipal.PolicyEditor keeper ->
                aclBindingBuilder.read(SHOWN).write(POLICIES);
            case KafkaAclPrincipal.Reader reader -> aclBindingBuilder.read(SHOWN);
            case KafkaAclPrincipal.TopicAdministrator administrator -> administrator(aclBindingBuilder);
        }
        return aclBindingBuilder.bindings();
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
                // It refuses topics that could lose data.
                .add(ResourceType.TOPIC, PatternType.PREFIXED, Topic.PREFIX, AclOperation.DESCRIBE_CONFIGS);
    }

    /**
     * Kafka has one right for trimming a topic and for deleting it, so the orchestrator does not have it. Whoever trims
     * the journal must read where its chapters begin.
     */
    private static void administrator(AclBindingBuilder aclBindingBuilder) {
        for (AclOperation operation : List.of(AclOperation.CREATE, AclOperation.DESCRIBE, AclOperation.ALTER_CONFIGS)) {
            aclBindingBuilder.add(ResourceType.TOPIC, PatternType.PREFIXED, Topic.PREFIX, operation);
        }
        aclBindingBuilder
                .read(HEAD, JOURNAL)
                .add(ResourceType.TOPIC, PatternType.LITERAL, Topic.of(JOURNAL).name(), AclOperation.DELETE);
    }

    /** Ends with a dot, so that a site whose name begins like another's is not meant. */
    private static String workerTransactions(SiteId site) {
        return "flotilla.worker." + site + ".";
    }
}
