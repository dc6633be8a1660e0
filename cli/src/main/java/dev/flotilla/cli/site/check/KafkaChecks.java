package dev.flotilla.cli.site.check;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.kafka.AclGranter;
import dev.flotilla.kafka.KafkaAclPrincipal;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionProblem;
import dev.flotilla.kafka.TopicDrift;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Checks of Kafka that a site's upgrades depend on. */
final class KafkaChecks {
    private static final String RIGHTS = "rights";

    private final FleetKafkaClient kafka;
    private final SiteId site;
    private final List<CheckResult> results = new ArrayList<>();
    private ReportedSiteInventory reportedSiteInventory = ReportedSiteInventory.NONE;

    KafkaChecks(FleetKafkaClient kafka, SiteId site) {
        this.kafka = kafka;
        this.site = site;
    }

    List<CheckResult> runAll() {
        int brokers = kafka.topics().countBrokers();
        results.add(CheckResult.ok("broker", kafka.brokers() + " answers, " + brokers + " in the cluster"));
        transactions();
        List<Topic> topics = new ArrayList<>(TopicCatalogue.fleetTopics());
        topics.addAll(TopicCatalogue.siteTopics(site));
        boolean complete = topics(topics);
        settings(topics);
        replicas(topics);
        rights();
        if (complete) {
            checkReports();
        }
        return List.copyOf(results);
    }

    /** The site's inventory; known after the checks have run. */
    ReportedSiteInventory inventory() {
        return reportedSiteInventory;
    }

    private void transactions() {
        int level = kafka.topics().transactionVersion();
        results.add(
                level >= TopicReconciler.REQUIRED_TRANSACTION_VERSION
                        ? CheckResult.ok("transaction.version", Integer.toString(level))
                        : CheckResult.failed(
                                "transaction.version",
                                level + ", but " + TopicReconciler.REQUIRED_TRANSACTION_VERSION
                                        + " is required: run all brokers on Kafka 4.0"
                                        + " or newer, then run kafka-features.sh upgrade --feature transaction.version="
                                        + TopicReconciler.REQUIRED_TRANSACTION_VERSION));
    }

    private boolean topics(List<Topic> topics) {
        List<Topic> missing = kafka.topics().findMissingTopics(topics);
        results.add(
                missing.isEmpty()
                        ? CheckResult.ok("topics", "all " + topics.size() + " exist")
                        : CheckResult.failed(
                                "topics",
                                missing.stream().map(Topic::name).collect(Collectors.joining(", "))
                                        + " missing: `flotilla site add " + site + "` creates them; if they existed"
                                        + " before, first find out who deleted them"));
        return missing.isEmpty();
    }

    private void settings(List<Topic> topics) {
        List<Topic> missing = kafka.topics().findMissingTopics(topics);
        List<Topic> there =
                topics.stream().filter(topic -> !missing.contains(topic)).toList();
        List<TopicDrift> drifts = kafka.topics().verify(there);
        for (TopicDrift topicDrift : drifts) {
            CheckResult.CheckStatus checkStatus = topicDrift.severity() == TopicDrift.DriftSeverity.COULD_LOSE_DATA
                    ? CheckResult.CheckStatus.FAILED
                    : CheckResult.CheckStatus.DIFFERS;
            results.add(new CheckResult(
                    checkStatus,
                    "settings of " + topicDrift.topic(),
                    topicDrift.setting() + " is " + topicDrift.actual() + ", should be " + topicDrift.expected()
                            + (checkStatus == CheckResult.CheckStatus.FAILED ? ", which could lose data" : "") + ": "
                            + topicDrift.remedy()));
        }
        if (drifts.isEmpty()) {
            results.add(CheckResult.ok("settings", "correct for " + there.size() + " topics"));
        }
    }

    private void replicas(List<Topic> topics) {
        List<PartitionProblem> troubles = kafka.topics().findPartitionProblems(topics);
        for (PartitionProblem trouble : troubles) {
            results.add(CheckResult.failed(
                    "partition " + trouble.partition(), trouble.problem() + ": " + trouble.remedy()));
        }
        if (troubles.isEmpty()) {
            results.add(CheckResult.ok("replicas", "every partition has a leader and enough replicas in sync"));
        }
    }

    private void rights() {
        try (AclGranter keeper = kafka.aclGranter()) {
            if (!keeper.hasAuthorizer()) {
                results.add(new CheckResult(
                        CheckResult.CheckStatus.DIFFERS,
                        RIGHTS,
                        "the brokers have no authorizer, so every client may do everything; use this for trials only"));
                return;
            }
            for (KafkaAclPrincipal kafkaAclPrincipal : List.of(
                    new KafkaAclPrincipal.Orchestrator(),
                    new KafkaAclPrincipal.Watcher(site),
                    new KafkaAclPrincipal.Worker(site))) {
                List<String> missing = keeper.findMissingAcls(kafkaAclPrincipal, kafkaAclPrincipal.defaultName());
                String what = RIGHTS + " of " + kafkaAclPrincipal.defaultName();
                results.add(
                        missing.isEmpty()
                                ? CheckResult.ok(what, "granted")
                                : CheckResult.failed(
                                        what,
                                        missing.size() + " missing, the first is " + missing.get(0)
                                                + ": `flotilla site add " + site + " --apply-acls` grants them"));
            }
        } catch (KafkaFailure failure) {
            if (failure.kind() != KafkaFailure.Kind.NOT_ALLOWED) {
                throw failure;
            }
            results.add(new CheckResult(
                    CheckResult.CheckStatus.UNKNOWN,
                    RIGHTS,
                    "not permitted to read the ACLs: use a principal that may describe the cluster"));
        }
    }

    /** Checks what the orchestrator and the watcher report about the site. */
    private void checkReports() {
        TableSnapshot tables = kafka.read(List.of(site), Table.INVENTORY);
        SiteHead head = tables.siteHeads().get(site);
        WatcherHeartbeat heartbeat = tables.row(new RowKey(Table.INVENTORY, site), WatcherHeartbeat.class);
        reportedSiteInventory = new ReportedSiteInventory(
                heartbeat,
                tables.rows(ClusterRow.class).stream()
                        .map(ClusterRow::key)
                        .sorted()
                        .toList());
        if (!tables.isDecidedOn()) {
            results.add(new CheckResult(
                    CheckResult.CheckStatus.DIFFERS, "orchestrator", "no orchestrator has been leader yet: start one"));
        } else if (head != null && head.unreachableSince() != null) {
            results.add(CheckResult.failed(
                    "orchestrator",
                    "the site has been suspended since " + head.unreachableSince() + ": "
                            + (head.unreachableReason() == null ? "see its log" : head.unreachableReason())));
        } else if (heartbeat == null || head == null || head.silentSince() != null) {
            results.add(new CheckResult(
                    CheckResult.CheckStatus.DIFFERS,
                    "watcher",
                    (heartbeat == null ? "no heartbeat yet" : "silent, last heartbeat " + heartbeat.sentAt())
                            + ": nothing starts here until the site's management-watcher sends one; check that it"
                            + " runs"));
        } else {
            results.add(CheckResult.ok("watcher", "last heartbeat at " + heartbeat.sentAt()));
        }
        if (heartbeat != null) {
            results.add(mode(heartbeat));
        }
        CheckResult versions = VersionManagerCheck.checkVersions(tables.rows(ClusterRow.class));
        if (versions != null) {
            results.add(versions);
        }
    }

    /** Checks which mode the watcher reports. */
    static CheckResult mode(WatcherHeartbeat heartbeat) {
        SiteMode mode = heartbeat.mode();
        if (mode == null) {
            return new CheckResult(
                    CheckResult.CheckStatus.UNKNOWN, "mode", "the site's watcher does not report a" + " mode");
        }
        return heartbeat.modeConflict() == null
                ? CheckResult.ok("mode", mode.label())
                : new CheckResult(
                        CheckResult.CheckStatus.DIFFERS, "mode", mode.label() + ", but " + heartbeat.modeConflict());
    }
}
