package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.id.ZoneName;
import dev.flotilla.schemas.row.AcceptedPolicy;
import dev.flotilla.schemas.row.Activity;
import dev.flotilla.schemas.row.AdmittedMachine;
import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.BudgetUse;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Chapter;
import dev.flotilla.schemas.row.Check;
import dev.flotilla.schemas.row.Checks;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.CohortRule;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Deferral;
import dev.flotilla.schemas.row.DomainCap;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Driver;
import dev.flotilla.schemas.row.Durations;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Evidence;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ObjectStatus;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Progress;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Role;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.row.RunState;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.SiteWriteOff;
import dev.flotilla.schemas.row.Step;
import dev.flotilla.schemas.row.Terms;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.Window;
import dev.flotilla.schemas.row.ZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A row of every type and variant, each with what it can hold. The golden examples are these, written down. */
final class Samples {
    static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    static final SiteId SITE = new SiteId("berlin");
    static final MachineKey MACHINE = new MachineKey(SITE, "fleet-a", "worker-7.internal");
    static final ClusterKey CLUSTER = new ClusterKey(SITE, "fleet-a", "shop");
    static final OwnerKey OWNER = new OwnerKey(SITE, OwnerKind.MACHINE_DEPLOYMENT, "fleet-a", "shop-workers");
    static final CampaignName NAME = new CampaignName("to-1-33");
    static final UpgradeOption TARGET = new UpgradeOption.Channel("1.33-classic/stable");
    static final Driver BY_CAMPAIGN = new Driver.OfCampaign(NAME, 4711);
    static final Driver BY_INTENT = new Driver.OfIntent(OWNER, AT);

    private Samples() {}

    static Labels labels(String... pairs) {
        TreeMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return new Labels(labels);
    }

    /** Every sample by the name of its example file. */
    static Map<String, Row> all() {
        Map<String, Row> all = new LinkedHashMap<>();
        inventory(all);
        status(all);
        work(all);
        orders(all);
        specifications(all);
        outcomes(all);
        return all;
    }

    private static void inventory(Map<String, Row> all) {
        all.put("heartbeat", new Heartbeat(SITE, "0d3c-11", "watcher-0", AT, 0));
        all.put("heartbeat-missing", new Heartbeat(SITE, "0d3c-11", "watcher-0", AT, 412));
        all.put(
                "heartbeat-doubt",
                new Heartbeat(
                        SITE,
                        "0d3c-11",
                        "watcher-0",
                        AT,
                        0,
                        SiteMode.DIRECT,
                        "the provider's controllers run here",
                        "order-12"));
        all.put(
                "cluster",
                new ClusterRow(
                        CLUSTER, "c-uid", labels("tier", "canary", "zone", "a"), false, true, "Europe/Berlin", 3, 30));
        all.put("cluster-bare", new ClusterRow(CLUSTER, "c-uid", Labels.NONE, true, false, null, 1, 0));
        all.put(
                "machine",
                new MachineRow(
                        MACHINE,
                        "m-uid",
                        "shop",
                        new MachineRow.Owner(OwnerKind.MACHINE_SET, "shop-workers-x1"),
                        Role.WORKER,
                        labels("topology.kubernetes.io/zone", "a"),
                        "node-7",
                        "maas:///7",
                        "4c4c4544-0042",
                        true,
                        false,
                        false,
                        false,
                        false,
                        "channel=1.32-classic/stable",
                        "v1.32.4",
                        "3421",
                        "amd64",
                        List.of(Activity.ROLLING, Activity.CERTIFICATES)));
        all.put(
                "machine-bare",
                new MachineRow(
                        new MachineKey(SITE, "fleet-a", "cp-0"),
                        "m-uid-0",
                        "shop",
                        null,
                        Role.CONTROL_PLANE,
                        Labels.NONE,
                        null,
                        null,
                        null,
                        false,
                        true,
                        true,
                        true,
                        true,
                        null,
                        null,
                        null,
                        "",
                        List.of()));
    }

    private static void status(Map<String, Row> all) {
        all.put("intent-machine", new Intent(MACHINE, "m-uid", new UpgradeOption.Revision("3501"), AT));
        all.put("intent-cluster", new Intent(CLUSTER, "c-uid", TARGET, AT));
        all.put("intent-owner", new Intent(OWNER, "o-uid", new UpgradeOption.LocalPath("/srv/snaps/k8s.snap"), AT));
        all.put(
                "site-status",
                new SiteStatus(
                        SITE,
                        "order-12",
                        90000,
                        "order-13",
                        List.of("/opt/snaps"),
                        "freeze: The fleet is frozen by its policy"));
        all.put("site-status-bare", SiteStatus.of(SITE));
        all.put("machine-status-admitted", status(new AttemptState.Admitted(AT), BY_CAMPAIGN));
        all.put(
                "machine-status-running",
                status(new AttemptState.Running(Step.REFRESHING, "117", AT.plusSeconds(600)), BY_INTENT));
        all.put("machine-status-preflight", status(new AttemptState.Running(Step.PREFLIGHT, null, AT), BY_CAMPAIGN));
        all.put("machine-status-unknown", status(new AttemptState.Unknown(AT), BY_CAMPAIGN));
        all.put("machine-status-idle", new MachineStatus(MACHINE, "m-uid", null, null, List.of()));
        all.put(
                "object-status-owner",
                new ObjectStatus(
                        OWNER,
                        "o-uid",
                        AT,
                        TARGET,
                        ObjectStatus.State.IN_PROGRESS,
                        MACHINE,
                        30,
                        12,
                        1,
                        new ObjectStatus.MachineFailure(
                                MACHINE,
                                new Failure(
                                        88000, FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no space", AT))));
        all.put(
                "object-status-cluster",
                new ObjectStatus(CLUSTER, "c-uid", AT, TARGET, ObjectStatus.State.DONE, null, 33, 33, 0, null));
    }

    private static MachineStatus status(AttemptState state, Driver driver) {
        return new MachineStatus(
                MACHINE,
                "m-uid",
                new Attempt(90210, driver, TARGET, state, AT, false, new AdmittedMachine("edge-7", Role.CONTROL_PLANE)),
                new Failure(
                        88000,
                        FailureClass.RETRYABLE,
                        FailureReason.REFRESH_ERROR,
                        "snap \"k8s\" has running apps\n(k8sd), größe 7 \uD83D\uDE80",
                        AT),
                List.of(
                        new Entry(
                                BY_CAMPAIGN,
                                "canary",
                                1,
                                AT.plusSeconds(90),
                                null,
                                "3100",
                                Outcome.OPEN,
                                null,
                                TARGET,
                                new Deferral(3, "another member is not well")),
                        new Entry(BY_INTENT, "", 0, null, Outcome.OPEN).quarantined(2, 90)));
    }

    private static void work(Map<String, Row> all) {
        all.put(
                "command-upgrade",
                new Command.UpgradeMachine(
                                MACHINE, "m-uid", 90210, Role.WORKER, TARGET, "1.33.2", "3501", 2, AT.plusSeconds(900))
                        .withoutDowngrade());
        all.put(
                "command-checked",
                new Command.UpgradeMachine(
                        MACHINE,
                        "m-uid",
                        90210,
                        Role.WORKER,
                        TARGET,
                        null,
                        null,
                        2,
                        AT.plusSeconds(900),
                        checks(),
                        null,
                        null,
                        null));
        all.put(
                "command-classed",
                new Command.UpgradeMachine(
                        MACHINE,
                        "m-uid",
                        90210,
                        Role.WORKER,
                        TARGET,
                        null,
                        null,
                        2,
                        AT.plusSeconds(900),
                        Checks.NONE,
                        "slow-disk",
                        DrainMode.AUTO,
                        SiteMode.DIRECT));
        all.put("command-cancel", new Command.CancelUpgrade(MACHINE, "m-uid", 90210, "the fleet is frozen"));
        report(all, "stepped", new Report.Stepped(Step.STARTING, null));
        report(all, "stepped-changed", new Report.Stepped(Step.REFRESHING, "117"));
        report(all, "succeeded", new Report.Succeeded(Report.Proof.UPGRADED, "3501", "v1.33.2"));
        report(all, "succeeded-awaiting", new Report.Succeeded(Report.Proof.AWAITS_PEERS, null, null));
        report(
                all,
                "failed",
                new Report.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_REFUSED, "no such channel"));
        report(
                all,
                "failed-with-evidence",
                new Report.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.REFRESH_ERROR,
                        "change 117 is Error: no space left on device",
                        new Evidence(
                                List.of("Ready=True KubeletReady since 2026-01-05T00:00:00Z"),
                                List.of("refresh-status: 200 {\"status\":\"Error\"}"),
                                List.of())));
        report(all, "cancelled", new Report.Cancelled());
        report(all, "expired", new Report.Expired());
        report(all, "not-now", new Report.NotNow("2 of 3 control-plane machines are ready"));
        report(all, "stepped-remembering", new Report.Stepped(Step.REFRESHING, "117", "x1"));
        report(all, "outcome-unknown-watched", new Report.OutcomeUnknown("change 117 is Wait", "117", "x1"));
        report(all, "outcome-unknown", new Report.OutcomeUnknown("connection reset after the request was sent"));
    }

    private static Checks checks() {
        return new Checks(
                Duration.ofHours(24),
                List.of(
                        new Check(
                                "no-alerts",
                                new Check.PromQl("sum(ALERTS{cluster=\"${cluster}\"}) or vector(0)", "== 0"),
                                true,
                                Duration.ofSeconds(10),
                                List.of(Role.CONTROL_PLANE)),
                        new Check(
                                "storage",
                                new Check.Condition(
                                        true,
                                        "apps/v1",
                                        "deployments",
                                        "storage",
                                        labels("app", "csi"),
                                        "Available",
                                        "True"),
                                false,
                                Duration.ofSeconds(30),
                                List.of())),
                List.of(new Check(
                        "health",
                        new Check.Http("https://health.example:8443/${machine}", 200, "ok", "/status/database", "up"),
                        true,
                        Duration.ofMinutes(5),
                        List.of())));
    }

    private static void report(Map<String, Row> all, String name, Report report) {
        all.put("progress-" + name, new Progress(MACHINE, "m-uid", 90210, report, AT));
    }

    private static void orders(Map<String, Row> all) {
        order(all, new OrderKey.State(NAME), Order.Verb.PAUSE, "state");
        order(all, new OrderKey.Approve(NAME, "rest"), Order.Verb.APPROVE, "approve");
        order(all, new OrderKey.Overlap(NAME), Order.Verb.APPROVE, "overlap");
        Order approval = new Order(
                new OrderKey.Approve(NAME, "rest"),
                "o-1",
                "ada",
                "ticket 42",
                4711L,
                "75918160c9cbfd16",
                null,
                Order.Verb.APPROVE);
        all.put("order-approve-on-orders", approval.on(Table.ORDERS));
        Order freeze = new Order(new OrderKey.FleetFreeze(), "o-1", "ada", "storm", null, Order.Verb.FREEZE);
        all.put("order-freeze-on-orders", freeze.on(Table.ORDERS));
        all.put(
                "auditor-order",
                new Order(
                                new OrderKey.FleetFreeze(),
                                "auditor-90210-1763985600000",
                                Order.AUDITOR,
                                "caps: 3 in flight, 2 allowed",
                                null,
                                Order.Verb.FREEZE)
                        .on(Table.AUDITOR_ORDERS));
        all.put(
                "order-fleet-unfreeze",
                new Order(new OrderKey.FleetFreeze(), "o-2", "ada", "looked through", null, Order.Verb.UNFREEZE)
                        .lifting(List.of("auditor-90210-1763985600000")));
        order(all, new OrderKey.Skip(NAME, MACHINE), Order.Verb.SKIP, "skip");
        order(all, new OrderKey.Retry(NAME), Order.Verb.RETRY, "retry");
        order(all, new OrderKey.FleetFreeze(), Order.Verb.FREEZE, "fleet-freeze");
        order(all, new OrderKey.SiteFreeze(SITE), Order.Verb.UNFREEZE, "site-freeze");
        order(all, new OrderKey.AcceptRemoval(SITE), Order.Verb.ACCEPT_REMOVAL, "accept-removal");
        order(all, new OrderKey.WriteOff(SITE), Order.Verb.WRITE_OFF, "write-off");
        order(all, new OrderKey.AdoptSite(SITE), Order.Verb.ADOPT, "adopt-site");
        order(all, new OrderKey.AdoptFleet(), Order.Verb.ADOPT, "adopt-fleet");
    }

    private static void order(Map<String, Row> all, OrderKey key, Order.Verb verb, String name) {
        Long uid = key instanceof OrderKey.OfCampaign ? 4711L : null;
        String edition = key instanceof OrderKey.Approve ? "75918160c9cbfd16" : null;
        Long other = key instanceof OrderKey.Overlap ? (Long) 4000L : null;
        all.put("order-" + name, new Order(key, "o-1", "ada", "ticket 42", uid, edition, other, verb));
    }

    private static void specifications(Map<String, Row> all) {
        all.put("campaign", campaign());
        all.put("campaign-small", smallCampaign());
        all.put("campaign-checked", checkedCampaign());
        all.put("campaign-shared", sharedCampaign());
        all.put("campaign-bound", boundCampaign());
        all.put("policy-fleet", policy());
        all.put(
                "policy-classes",
                new Policy(
                        SITE,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        null,
                        "topology.example.com/hardware",
                        Policy.Calendar.NONE,
                        null));
        all.put(
                "policy-targets",
                new Policy(
                                Fleet.FLEET,
                                null,
                                null,
                                false,
                                null,
                                null,
                                null,
                                Policy.IntentRule.DEFAULT
                                        .with(new Policy.VersionRule(true, true))
                                        .ranked(60)
                                        .onlyTo(List.of("channel=1.3?-classic/*")))
                        .with(new Policy.CampaignRule(
                                Policy.RequiredApproval.AFTER_FIRST_WAVE,
                                new Limit.Percent(5),
                                List.of("revision=*"))));
        all.put("policy-site", new Policy(SITE, new Limit.Count(3), null, true, "backup", null, null, null));
        all.put(
                "policy-calendar",
                new Policy(
                        SITE,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        new Policy.Calendar(new ZoneName("Asia/Tokyo"), windows(), Duration.ofMinutes(25), 640, 20),
                        Duration.ofSeconds(90)));
    }

    static Campaign campaign() {
        Selector canary = new Selector(List.of(
                new Selector.Requirement("tier", Selector.Operator.IN, List.of("canary")),
                new Selector.Requirement("region", Selector.Operator.IN, List.of("eu", "us")),
                new Selector.Requirement("legacy", Selector.Operator.DOES_NOT_EXIST, List.of())));
        return new Campaign(
                NAME,
                labels("team", "platform"),
                new CampaignSpec(
                        TARGET,
                        "1.33.2",
                        new Selection(
                                List.of(SITE, new SiteId("oslo")),
                                Selector.ALL,
                                new Selector(
                                        List.of(new Selector.Requirement("gpu", Selector.Operator.EXISTS, List.of()))),
                                List.of(Role.WORKER),
                                List.of("channel=1.32-classic/stable"),
                                List.of(MACHINE)),
                        List.of(
                                new Wave("canary", List.of(), canary, false, 95),
                                new Wave("oslo", List.of(new SiteId("oslo")), Selector.ALL, true, 100),
                                new Wave("rest", List.of(), Selector.ALL, true, 90)),
                        new Limit.Percent(5),
                        new Limit.Count(3),
                        FailureBudget.of(10),
                        AT,
                        AT.plusSeconds(86_400),
                        70,
                        new Limit.Percent(10),
                        false,
                        new RetryRule(5, Duration.ofSeconds(90), Duration.ofHours(2))));
    }

    static Campaign smallCampaign() {
        return new Campaign(
                new CampaignName("small"),
                Labels.NONE,
                new CampaignSpec(
                        new UpgradeOption.Revision("3501"),
                        null,
                        Selection.EVERYTHING,
                        List.of(new Wave("all", List.of(), Selector.ALL, false, 100)),
                        null,
                        null,
                        null,
                        null,
                        null,
                        50,
                        new Limit.Count(1),
                        true,
                        RetryRule.DEFAULT));
    }

    private static Campaign sharedCampaign() {
        CampaignSpec plain = smallCampaign().spec();
        return new Campaign(
                new CampaignName("shared"),
                Labels.NONE,
                new CampaignSpec(
                        plain.target(),
                        plain.expectedVersion(),
                        plain.select(),
                        List.of(
                                new Wave(
                                        "canary",
                                        List.of(),
                                        Selector.ALL,
                                        new Limit.Percent(5),
                                        Wave.Approval.AFTER,
                                        100,
                                        Duration.ofMinutes(30)),
                                new Wave(
                                        "oslo",
                                        List.of(new SiteId("oslo")),
                                        Selector.ALL,
                                        new Limit.Count(20),
                                        Wave.Approval.NONE,
                                        90,
                                        Duration.ZERO),
                                new Wave("rest", List.of(), Selector.ALL, false, 100)),
                        plain.inFlight(),
                        plain.clusterInFlight(),
                        new FailureBudget(new Limit.Percent(5), 90, 30),
                        plain.startAt(),
                        plain.deadline(),
                        plain.priority(),
                        plain.maxUnavailable(),
                        plain.controlPlaneFirst(),
                        plain.retries()));
    }

    private static Campaign checkedCampaign() {
        return new Campaign(
                new CampaignName("checked"), Labels.NONE, smallCampaign().spec().with(checks()));
    }

    private static Campaign boundCampaign() {
        return new Campaign(
                new CampaignName("bound"),
                Labels.NONE,
                smallCampaign()
                        .spec()
                        .with(new Terms(
                                Duration.ofMinutes(10),
                                300,
                                List.of(
                                        new Terms.Dependency(NAME, 95),
                                        new Terms.Dependency(new CampaignName("small"), 100)),
                                windows(),
                                new CohortRule(List.of("hardware.example/model"), 4, 30),
                                "0123456789abcdef",
                                List.of(
                                        new DomainCap("topology.kubernetes.io/zone", new Limit.Count(2)),
                                        new DomainCap("rack", new Limit.Percent(10))),
                                true,
                                true,
                                DrainMode.ALWAYS)));
    }

    private static List<Window> windows() {
        return List.of(
                new Window(
                        List.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
                        null,
                        22 * 60,
                        5 * 60 + 30,
                        new ZoneName("Europe/Berlin")),
                new Window(List.of(), LocalDate.parse("2026-01-31"), 0, 0, null));
    }

    static Policy policy() {
        return new Policy(
                Fleet.FLEET,
                new Limit.Count(500),
                new Limit.Percent(10),
                false,
                null,
                Duration.ofMinutes(45),
                Duration.ofHours(2),
                new Policy.IntentRule(
                        new Limit.Count(2),
                        RetryRule.DEFAULT,
                        List.of("/opt/snaps"),
                        new Limit.Percent(5),
                        new Limit.Count(1),
                        Duration.ofMinutes(5),
                        windows(),
                        DrainMode.AUTO));
    }

    private static void outcomes(Map<String, Row> all) {
        all.put(
                "campaign-status",
                new CampaignStatus(
                        NAME,
                        4711,
                        campaign(),
                        RunState.PAUSED,
                        "3 of at most 10 machines failed",
                        AT,
                        List.of(new CampaignStatus.Learned("amd64", "3501", "v1.33.2", SITE)),
                        90000,
                        List.of(new CampaignStatus.AppliedOrder("to-1-33/retry", "o-1")),
                        new CampaignStatus.Approvals(true, 4000L, 4800, 4750),
                        2));
        all.put(
                "wave-status",
                new WaveStatus(
                        new WaveKey(NAME, "canary"),
                        4711,
                        50_000,
                        AT,
                        "o-1",
                        AT.plusMillis(1),
                        AT.plusSeconds(9),
                        List.of(new Durations("worker", Durations.Counts.of(0, 4, 17, 2)))));
        all.put("wave-status-waiting", WaveStatus.of(new WaveKey(NAME, "rest"), 4711));
        all.put("accepted-policy-fleet", new AcceptedPolicy(policy()));
        all.put(
                "accepted-policy-site",
                new AcceptedPolicy(new Policy(SITE, null, null, false, null, null, null, null)));
        all.put(
                "zone-rules",
                new ZoneRules(
                        new ZoneName("Europe/Berlin"),
                        3_600,
                        List.of(
                                new ZoneRules.Transition(Instant.parse("2026-03-29T01:00:00Z"), 7_200),
                                new ZoneRules.Transition(Instant.parse("2026-10-25T01:00:00Z"), 3_600))));
        all.put(
                "fleet-head",
                new FleetHead(3, 90210, AT, "9f86d081", 1, true, List.of(new Offset(Table.CAMPAIGNS, 0, 17))));
        all.put(
                "fleet-head-in-a-chapter",
                new FleetHead(
                        3,
                        90210,
                        AT,
                        "9f86d081",
                        1,
                        true,
                        List.of(),
                        new Chapter(
                                88_000,
                                AT,
                                5_120_000,
                                101_344L,
                                64_209L,
                                List.of(SITE),
                                new Chapter.Begin(41_000, 50_017, 64_180)),
                        List.of(new TopicId(Table.ORDERS, "eXg2-5cTQ0uQy2r0hYqLmA"))));
        all.put(
                "site-head",
                new SiteHead(
                        SITE,
                        AT,
                        AT,
                        "topic flotilla.progress.berlin was deleted and created again",
                        List.of(Table.PROGRESS),
                        4,
                        List.of(new BudgetUse(new CampaignName("spring"), 41, 3)),
                        List.of(new Offset(Table.PROGRESS, 3, Long.MAX_VALUE)),
                        List.of(new TopicId(Table.PROGRESS, "eXg2-5cTQ0uQy2r0hYqLmA")),
                        new SiteWriteOff(90_000, "order-13", AT),
                        "order-14"));
        all.put(
                "journal-record",
                new JournalRecord(
                        90210,
                        AT,
                        "attempt-admitted",
                        MACHINE.toString(),
                        "slot 4 of 40",
                        List.of(
                                new Heartbeat(SITE, "0d3c-11", "watcher-0", AT, 0),
                                new AcceptedPolicy(policy()),
                                new Gone(new RowKey(Table.COMMANDS, MACHINE)),
                                new Gone(new RowKey(Table.CAMPAIGN_STATUS, new ZoneName("Europe/Berlin")))),
                        "9f86d081"));
        all.put(
                "rejected",
                new Rejected(
                        new RejectedKey("flotilla.campaigns", 0, "to/1 33"),
                        17,
                        RejectionReason.BAD_VALUE,
                        "spec.target.option",
                        "chanel=1.33/stable",
                        "must begin with channel=, revision= or localPath=",
                        AT));
        all.put(
                "rejected-after-an-accepted-row",
                new Rejected(
                        new RejectedKey("flotilla.freezes", 0, "fleet/freeze"),
                        18,
                        RejectionReason.NOT_JSON,
                        "",
                        "freeze!",
                        "is not JSON",
                        AT,
                        false,
                        new Order(new OrderKey.FleetFreeze(), "o-1", "ada", "storm", null, Order.Verb.FREEZE)));
    }
}
