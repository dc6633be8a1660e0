package dev.flotilla.schemas.json;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignChecks;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterApiRule;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.DurationHistogram;
import dev.flotilla.schemas.row.FailureBudget;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureCohortRule;
import dev.flotilla.schemas.row.FailureEvidence;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.LastAcceptedPolicy;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachinePreparation.PreparationProgress;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.PreparationRule;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.SiteWriteOff;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.TopologyDomainCap;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import dev.flotilla.schemas.row.VersionFieldKind;
import dev.flotilla.schemas.row.VersionRuleExemptions;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sample rows of every type and variant, with all fields set. The golden example files are these rows, encoded. */
final class SampleRows {
    static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    static final SiteId SITE = new SiteId("berlin");
    static final MachineKey MACHINE = new MachineKey(SITE, "fleet-a", "worker-7.internal");
    static final ClusterKey CLUSTER = new ClusterKey(SITE, "fleet-a", "shop");
    static final OwnerKey OWNER = new OwnerKey(SITE, OwnerKind.MACHINE_DEPLOYMENT, "fleet-a", "shop-workers");
    static final CampaignName NAME = new CampaignName("to-1-33");
    static final UpgradeTarget TARGET = new UpgradeTarget.Channel("1.33-classic/stable");
    static final RolloutRef BY_CAMPAIGN = new RolloutRef.CampaignRef(NAME, 4711);
    static final RolloutRef BY_INTENT = new RolloutRef.IntentRef(OWNER, AT);

    private SampleRows() {}

    static Labels labels(String... pairs) {
        TreeMap<String, String> labels = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return new Labels(labels);
    }

    /** Returns all samples by the name of their example file. */
    static Map<String, TableRow> all() {
        Map<String, TableRow> all = new LinkedHashMap<>();
        inventory(all);
        status(all);
        providers(all);
        work(all);
        orders(all);
        specifications(all);
        outcomes(all);
        return all;
    }

    private static void inventory(Map<String, TableRow> all) {
        all.put("heartbeat", new WatcherHeartbeat(SITE, "0d3c-11", "watcher-0", AT, 0));
        all.put("heartbeat-missing", new WatcherHeartbeat(SITE, "0d3c-11", "watcher-0", AT, 412));
        all.put(
                "heartbeat-doubt",
                new WatcherHeartbeat(
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
                        new MachineRow.MachineOwner(OwnerKind.MACHINE_SET, "shop-workers-x1"),
                        MachineRole.WORKER,
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
                        List.of(ForeignActivity.ROLLING, ForeignActivity.CERTIFICATES)));
        all.put(
                "machine-bare",
                new MachineRow(
                        new MachineKey(SITE, "fleet-a", "cp-0"),
                        "m-uid-0",
                        "shop",
                        null,
                        MachineRole.CONTROL_PLANE,
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

    /** The rows of machines that another provider than k8sd upgrades. */
    private static void providers(Map<String, TableRow> all) {
        NodeUpgradeTemplateRef template =
                new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");
        UpgradeTarget release = new UpgradeTarget.KubernetesRelease("v1.36.3");
        all.put(
                "machine-node-upgrade",
                new MachineRow(
                                MACHINE,
                                "m-uid",
                                "shop",
                                null,
                                MachineRole.WORKER,
                                labels("distribution", "kubeadm"),
                                "node-7",
                                null,
                                null,
                                true,
                                false,
                                false,
                                false,
                                false,
                                null,
                                "v1.35.4",
                                null,
                                "amd64",
                                List.of())
                        .withProvider(UpgradeProvider.NODE_UPGRADE)
                        .withUnappliedFields("VSphereMachine spec.template"));
        all.put("intent-release", new UpgradeIntent(MACHINE, "m-uid", release, AT));
        all.put(
                "intent-spec",
                new UpgradeIntent(OWNER, "o-uid", new UpgradeTarget.MachineSpecHash("sha256:" + "4f".repeat(32)), AT));
        all.put(
                "machine-status-node-upgrade",
                new MachineStatus(
                        MACHINE,
                        "m-uid",
                        new UpgradeAttempt(
                                90210,
                                BY_CAMPAIGN,
                                release,
                                new AttemptState.Admitted(AT),
                                AT,
                                false,
                                new AttemptMachineSnapshot(
                                        "shop", MachineRole.WORKER, UpgradeProvider.NODE_UPGRADE, template)),
                        null,
                        List.of(new RolloutEntry(BY_CAMPAIGN, "rest", 0, null, MachineOutcome.OPEN))));
        all.put("machine-status-preparing", preparation(new PreparationProgress.Preparing(AT), release, template));
        all.put("machine-status-prepared", preparation(new PreparationProgress.Prepared(AT), release, template));
        all.put(
                "machine-status-unprepared",
                preparation(new PreparationProgress.PreparationFailed("deadline: late", AT), release, template));
        all.put(
                "cluster-upgrade",
                new ClusterUpgrade(
                        CLUSTER,
                        new RolloutRef.CampaignRef(NAME, 8),
                        "v1.36.3",
                        AT,
                        List.of(
                                new VersionFieldChange(VersionFieldKind.CONTROL_PLANE, "blue-cp", "v1.35.4", true),
                                new VersionFieldChange(
                                        VersionFieldKind.MACHINE_DEPLOYMENT, "blue-workers", "v1.35.4", false))));
        all.put(
                "cluster-in-place",
                new ClusterRow(CLUSTER, "c-uid", Labels.NONE, false, false, null, 1, 0)
                        .withVersionFields(List.of(
                                new VersionField(VersionFieldKind.TOPOLOGY, "blue", "v1.35.4", "kubectl-edit", null),
                                new VersionField(
                                        VersionFieldKind.CONTROL_PLANE,
                                        "blue-cp",
                                        "v1.35.4",
                                        null,
                                        "it has 1 replica, and Cluster API replaces a single member"))));
        all.put(
                "campaign-replacing",
                new Campaign(
                        NAME,
                        Labels.NONE,
                        new CampaignSpecBuilder(release, MachineSelection.EVERYTHING)
                                .clusterApi(new ClusterApiRule(ClusterApiRule.UncoveredChange.REPLACE))
                                .build()));
        all.put(
                "campaign-prepared",
                new Campaign(
                        NAME,
                        Labels.NONE,
                        new CampaignSpecBuilder(release, MachineSelection.EVERYTHING)
                                .preparation(new PreparationRule(Duration.ofHours(12)))
                                .build()));
        all.put(
                "policy-prefetch",
                new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null)
                        .withPrefetchCaps(
                                new PrefetchCaps(new CountOrPercent.Percent(5), new CountOrPercent.Count(20))));
        all.put(
                "command-node-upgrade",
                new WorkerCommand.UpgradeMachine(
                                MACHINE,
                                "m-uid",
                                90210,
                                MachineRole.WORKER,
                                release,
                                null,
                                null,
                                2,
                                AT.plusSeconds(900))
                        .withNodeUpgrade(template));
        all.put(
                "command-node-upgrade-prepared",
                new WorkerCommand.UpgradeMachine(
                                MACHINE,
                                "m-uid",
                                90210,
                                MachineRole.WORKER,
                                release,
                                null,
                                null,
                                2,
                                AT.plusSeconds(900))
                        .withNodeUpgrade(template)
                        .withPreparation());
        all.put(
                "command-prepare",
                new WorkerCommand.PrepareMachine(
                        MACHINE,
                        "m-uid",
                        90100,
                        MachineRole.WORKER,
                        release,
                        AT.plusSeconds(900),
                        AT.plusSeconds(3600),
                        template));
        all.put(
                "command-node-upgrade-cancel",
                new WorkerCommand.CancelUpgrade(
                        MACHINE, "m-uid", 90210, "provider-changed", UpgradeProvider.NODE_UPGRADE, template, null));
        all.put(
                "command-node-upgrade-abort",
                new WorkerCommand.CancelUpgrade(
                        MACHINE,
                        "m-uid",
                        90210,
                        "rollout-ended",
                        UpgradeProvider.NODE_UPGRADE,
                        template,
                        new WorkerCommand.CancelledUpgrade(MachineRole.CONTROL_PLANE, release, "1.36.3")));
        all.put(
                "campaign-release",
                new Campaign(
                        NAME,
                        Labels.NONE,
                        new CampaignSpecBuilder(
                                        release,
                                        MachineSelection.EVERYTHING.withProviders(
                                                List.of(UpgradeProvider.NODE_UPGRADE)))
                                .build()));
        all.put(
                "policy-providers",
                new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null)
                        .withProviderRules(List.of(
                                new ProviderRule(List.of(SITE), LabelSelector.ALL, UpgradeProvider.NONE, null),
                                new ProviderRule(
                                        List.of(),
                                        new LabelSelector(List.of(new LabelSelector.LabelRequirement(
                                                "distribution", LabelSelector.LabelOperator.IN, List.of("kubeadm")))),
                                        UpgradeProvider.NODE_UPGRADE,
                                        template))));
    }

    private static void status(Map<String, TableRow> all) {
        all.put("intent-machine", new UpgradeIntent(MACHINE, "m-uid", new UpgradeTarget.Revision("3501"), AT));
        all.put(
                "intent-task",
                new UpgradeIntent(
                        MACHINE,
                        "m-uid",
                        new UpgradeTarget.Revision("3501"),
                        AT,
                        new UpgradeTaskRef(null, "to-1-36", "t-uid")));
        all.put(
                "intent-task-upgrader",
                new UpgradeIntent(
                        MACHINE,
                        "m-uid",
                        new UpgradeTarget.KubernetesRelease("v1.36.3"),
                        AT,
                        new UpgradeTaskRef(null, "to-1-36", "t-uid"),
                        new NodeUpgraderRef("flotilla.dev", "NodeUpgradeTemplate", "kubeadm"),
                        null));
        all.put(
                "intent-task-spec",
                new UpgradeIntent(
                        MACHINE,
                        "m-uid",
                        new UpgradeTarget.MachineSpecHash("sha256:" + "4f".repeat(32)),
                        AT,
                        new UpgradeTaskRef(null, "m-0-1a2b3c4d", "t-uid"),
                        null,
                        "v1.36.3"));
        all.put("intent-cluster", new UpgradeIntent(CLUSTER, "c-uid", TARGET, AT));
        all.put(
                "intent-owner",
                new UpgradeIntent(OWNER, "o-uid", new UpgradeTarget.LocalPath("/srv/snaps/k8s.snap"), AT));
        all.put(
                "site-status",
                new SiteStatus(
                        SITE,
                        "order-12",
                        90000,
                        "order-13",
                        new SiteAnnotationRules(
                                List.of("/opt/snaps"),
                                List.of("channel=1.3?-classic/*"),
                                List.of(new ProviderRule(
                                        List.of(),
                                        new LabelSelector(List.of(new LabelSelector.LabelRequirement(
                                                "distribution", LabelSelector.LabelOperator.IN, List.of("kubeadm")))),
                                        UpgradeProvider.NODE_UPGRADE,
                                        new NodeUpgradeTemplateRef(
                                                "flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm")))),
                        "freeze: The fleet is frozen by its policy"));
        all.put("site-status-bare", SiteStatus.of(SITE));
        all.put("machine-status-admitted", status(new AttemptState.Admitted(AT), BY_CAMPAIGN));
        all.put(
                "machine-status-running",
                status(new AttemptState.Running(AttemptStep.REFRESHING, "117", AT.plusSeconds(600)), BY_INTENT));
        all.put(
                "machine-status-preflight",
                status(new AttemptState.Running(AttemptStep.PREFLIGHT, null, AT), BY_CAMPAIGN));
        all.put("machine-status-unknown", status(new AttemptState.Unknown(AT), BY_CAMPAIGN));
        all.put("machine-status-idle", new MachineStatus(MACHINE, "m-uid", null, null, List.of()));
        all.put(
                "intent-status-owner",
                new IntentStatus(
                        OWNER,
                        "o-uid",
                        AT,
                        TARGET,
                        IntentStatus.IntentState.IN_PROGRESS,
                        MACHINE,
                        30,
                        12,
                        1,
                        new IntentStatus.MachineFailure(
                                MACHINE,
                                new AttemptFailure(
                                        88000, FailureClass.TERMINAL, FailureReason.REFRESH_ERROR, "no space", AT))));
        all.put(
                "intent-status-cluster",
                new IntentStatus(CLUSTER, "c-uid", AT, TARGET, IntentStatus.IntentState.DONE, null, 33, 33, 0, null));
    }

    private static MachineStatus preparation(
            PreparationProgress progress, UpgradeTarget target, NodeUpgradeTemplateRef template) {
        return new MachineStatus(
                MACHINE,
                "m-uid",
                null,
                null,
                List.of(),
                new MachinePreparation(90100, BY_CAMPAIGN, target, template, 1, progress));
    }

    private static MachineStatus status(AttemptState state, RolloutRef rolloutRef) {
        return new MachineStatus(
                MACHINE,
                "m-uid",
                new UpgradeAttempt(
                        90210,
                        rolloutRef,
                        TARGET,
                        state,
                        AT,
                        false,
                        new AttemptMachineSnapshot("edge-7", MachineRole.CONTROL_PLANE)),
                new AttemptFailure(
                        88000,
                        FailureClass.RETRYABLE,
                        FailureReason.REFRESH_ERROR,
                        "snap \"k8s\" has running apps\n(k8sd), größe 7 \uD83D\uDE80",
                        AT),
                List.of(
                        new RolloutEntry(
                                BY_CAMPAIGN,
                                "canary",
                                1,
                                AT.plusSeconds(90),
                                null,
                                "3100",
                                MachineOutcome.OPEN,
                                null,
                                TARGET,
                                new StartDeferral(3, "another member is not well")),
                        new RolloutEntry(BY_INTENT, "", 0, null, MachineOutcome.OPEN).withQuarantine(2, 90)));
    }

    private static void work(Map<String, TableRow> all) {
        all.put(
                "command-upgrade",
                new WorkerCommand.UpgradeMachine(
                                MACHINE,
                                "m-uid",
                                90210,
                                MachineRole.WORKER,
                                TARGET,
                                "1.33.2",
                                "3501",
                                2,
                                AT.plusSeconds(900))
                        .withoutDowngrade());
        all.put(
                "command-checked",
                new WorkerCommand.UpgradeMachine(
                        MACHINE,
                        "m-uid",
                        90210,
                        MachineRole.WORKER,
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
                new WorkerCommand.UpgradeMachine(
                        MACHINE,
                        "m-uid",
                        90210,
                        MachineRole.WORKER,
                        TARGET,
                        null,
                        null,
                        2,
                        AT.plusSeconds(900),
                        CampaignChecks.NONE,
                        "slow-disk",
                        DrainMode.AUTO,
                        SiteMode.DIRECT));
        all.put("command-cancel", new WorkerCommand.CancelUpgrade(MACHINE, "m-uid", 90210, "the fleet is frozen"));
        report(all, "step-reached", new AttemptReport.StepReached(AttemptStep.STARTING, null));
        report(all, "step-reached-changed", new AttemptReport.StepReached(AttemptStep.REFRESHING, "117"));
        report(all, "prepared", new AttemptReport.Prepared());
        report(all, "succeeded", new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, "3501", "v1.33.2"));
        report(
                all,
                "succeeded-awaiting",
                new AttemptReport.Succeeded(AttemptReport.SuccessProof.AWAITS_PEERS, null, null));
        report(
                all,
                "failed",
                new AttemptReport.Failed(FailureClass.TERMINAL, FailureReason.REFRESH_REJECTED, "no such channel"));
        report(
                all,
                "failed-with-evidence",
                new AttemptReport.Failed(
                        FailureClass.RETRYABLE,
                        FailureReason.REFRESH_ERROR,
                        "change 117 is Error: no space left on device",
                        new FailureEvidence(
                                List.of("Ready=True KubeletReady since 2026-01-05T00:00:00Z"),
                                List.of("refresh-status: 200 {\"status\":\"Error\"}"),
                                List.of())));
        report(
                all,
                "failed-with-node-upgrade",
                new AttemptReport.Failed(
                        FailureClass.TERMINAL,
                        FailureReason.NODE_UPGRADE_FAILED,
                        "NodeUpgrade worker-7-0a1b2c3d-90210 has failed at step upgrade (exit code 3): StepFailed",
                        new FailureEvidence(
                                List.of(), List.of(), List.of("step upgrade: Failed, exit code 3"), List.of())));
        report(all, "cancelled", new AttemptReport.Cancelled());
        report(
                all,
                "aborted",
                new AttemptReport.Aborted("NodeUpgrade worker-7-0a1b2c3d-90210 was aborted: before step restart"));
        report(all, "lease-expired", new AttemptReport.LeaseExpired());
        report(all, "deferred", new AttemptReport.Deferred("2 of 3 control-plane machines are ready"));
        report(all, "step-reached-remembering", new AttemptReport.StepReached(AttemptStep.REFRESHING, "117", "x1"));
        report(all, "outcome-unknown-watched", new AttemptReport.OutcomeUnknown("change 117 is Wait", "117", "x1"));
        report(all, "outcome-unknown", new AttemptReport.OutcomeUnknown("connection reset after the request was sent"));
    }

    private static CampaignChecks checks() {
        return new CampaignChecks(
                Duration.ofHours(24),
                List.of(
                        new HealthCheck(
                                "no-alerts",
                                new HealthCheck.PromQlProbe("sum(ALERTS{cluster=\"${cluster}\"}) or vector(0)", "== 0"),
                                true,
                                Duration.ofSeconds(10),
                                List.of(MachineRole.CONTROL_PLANE)),
                        new HealthCheck(
                                "storage",
                                new HealthCheck.ObjectConditionProbe(
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
                List.of(
                        new HealthCheck(
                                "health",
                                new HealthCheck.HttpProbe(
                                        "https://health.example:8443/${machine}", 200, "ok", "/status/database", "up"),
                                true,
                                Duration.ofMinutes(5),
                                List.of()),
                        new HealthCheck(
                                "ceph",
                                new HealthCheck.CelProbe(
                                        true,
                                        "ceph.rook.io/v1",
                                        "cephclusters",
                                        "rook-ceph",
                                        "${cluster}",
                                        Labels.NONE,
                                        "object.status.ceph.health == 'HEALTH_OK'",
                                        "Ceph must be healthy"),
                                true,
                                Duration.ofMinutes(5),
                                List.of()),
                        new HealthCheck(
                                "volumes",
                                new HealthCheck.CelProbe(
                                        false,
                                        "longhorn.io/v1beta2",
                                        "volumes",
                                        null,
                                        null,
                                        labels("tier", "data"),
                                        "object.status.robustness == 'healthy'",
                                        null),
                                true,
                                Duration.ofMinutes(5),
                                List.of())));
    }

    private static void report(Map<String, TableRow> all, String name, AttemptReport report) {
        all.put("progress-" + name, new AttemptProgress(MACHINE, "m-uid", 90210, report, AT));
    }

    private static void orders(Map<String, TableRow> all) {
        order(all, new OperatorOrderKey.SetCampaignState(NAME), OperatorOrder.OrderVerb.PAUSE, "state");
        order(all, new OperatorOrderKey.ApproveWave(NAME, "rest"), OperatorOrder.OrderVerb.APPROVE, "approve");
        order(all, new OperatorOrderKey.ApproveOverlap(NAME), OperatorOrder.OrderVerb.APPROVE, "overlap");
        OperatorOrder approval = new OperatorOrder(
                new OperatorOrderKey.ApproveWave(NAME, "rest"),
                "o-1",
                "ada",
                "ticket 42",
                4711L,
                "75918160c9cbfd16",
                null,
                OperatorOrder.OrderVerb.APPROVE);
        all.put("order-approve-on-orders", approval.withTable(Table.ORDERS));
        OperatorOrder freeze = new OperatorOrder(
                new OperatorOrderKey.FreezeFleet(), "o-1", "ada", "storm", null, OperatorOrder.OrderVerb.FREEZE);
        all.put("order-freeze-on-orders", freeze.withTable(Table.ORDERS));
        all.put(
                "auditor-order",
                new OperatorOrder(
                                new OperatorOrderKey.FreezeFleet(),
                                "auditor-90210-1763985600000",
                                OperatorOrder.AUDITOR,
                                "caps: 3 in flight, 2 allowed",
                                null,
                                OperatorOrder.OrderVerb.FREEZE)
                        .withTable(Table.AUDITOR_ORDERS));
        all.put(
                "order-fleet-unfreeze",
                new OperatorOrder(
                                new OperatorOrderKey.FreezeFleet(),
                                "o-2",
                                "ada",
                                "looked through",
                                null,
                                OperatorOrder.OrderVerb.UNFREEZE)
                        .withLiftedFreezes(List.of("auditor-90210-1763985600000")));
        order(all, new OperatorOrderKey.SkipMachine(NAME, MACHINE), OperatorOrder.OrderVerb.SKIP, "skip");
        order(all, new OperatorOrderKey.RetryQuarantined(NAME), OperatorOrder.OrderVerb.RETRY, "retry");
        order(all, new OperatorOrderKey.FreezeFleet(), OperatorOrder.OrderVerb.FREEZE, "fleet-freeze");
        order(all, new OperatorOrderKey.FreezeSite(SITE), OperatorOrder.OrderVerb.UNFREEZE, "site-freeze");
        order(
                all,
                new OperatorOrderKey.AcceptMassRemoval(SITE),
                OperatorOrder.OrderVerb.ACCEPT_REMOVAL,
                "accept-removal");
        order(all, new OperatorOrderKey.WriteOffSite(SITE), OperatorOrder.OrderVerb.WRITE_OFF, "write-off");
        order(all, new OperatorOrderKey.AdoptSiteTopics(SITE), OperatorOrder.OrderVerb.ADOPT, "adopt-site");
        order(all, new OperatorOrderKey.AdoptFleetTopics(), OperatorOrder.OrderVerb.ADOPT, "adopt-fleet");
    }

    private static void order(
            Map<String, TableRow> all, OperatorOrderKey key, OperatorOrder.OrderVerb verb, String name) {
        Long uid = key instanceof OperatorOrderKey.CampaignOrder ? 4711L : null;
        String contentHash = key instanceof OperatorOrderKey.ApproveWave ? "75918160c9cbfd16" : null;
        Long other = key instanceof OperatorOrderKey.ApproveOverlap ? (Long) 4000L : null;
        all.put("order-" + name, new OperatorOrder(key, "o-1", "ada", "ticket 42", uid, contentHash, other, verb));
    }

    private static void specifications(Map<String, TableRow> all) {
        all.put("campaign", campaign());
        all.put("campaign-small", smallCampaign());
        all.put("campaign-checked", checkedCampaign());
        all.put("campaign-shared", sharedCampaign());
        all.put("campaign-bound", boundCampaign());
        all.put("policy-fleet", policy());
        all.put(
                "policy-classes",
                new UpgradePolicy(
                        SITE,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        null,
                        "topology.example.com/hardware",
                        UpgradePolicy.MaintenanceCalendar.NONE,
                        null));
        all.put(
                "policy-targets",
                new UpgradePolicy(
                                FleetScope.FLEET,
                                null,
                                null,
                                false,
                                null,
                                null,
                                null,
                                UpgradePolicy.IntentRule.DEFAULT
                                        .with(new VersionRuleExemptions(true, true))
                                        .withPriority(60)
                                        .withTargetPatterns(List.of("channel=1.3?-classic/*")))
                        .with(new UpgradePolicy.CampaignRule(
                                UpgradePolicy.RequiredApproval.AFTER_FIRST_WAVE,
                                new CountOrPercent.Percent(5),
                                List.of("revision=*"))));
        all.put(
                "policy-site",
                new UpgradePolicy(SITE, new CountOrPercent.Count(3), null, true, "backup", null, null, null));
        all.put(
                "policy-calendar",
                new UpgradePolicy(
                        SITE,
                        null,
                        null,
                        false,
                        null,
                        null,
                        null,
                        null,
                        null,
                        new UpgradePolicy.MaintenanceCalendar(
                                new TimeZoneName("Asia/Tokyo"), windows(), Duration.ofMinutes(25), 640, 20),
                        Duration.ofSeconds(90)));
    }

    static Campaign campaign() {
        LabelSelector canary = new LabelSelector(List.of(
                new LabelSelector.LabelRequirement("tier", LabelSelector.LabelOperator.IN, List.of("canary")),
                new LabelSelector.LabelRequirement("region", LabelSelector.LabelOperator.IN, List.of("eu", "us")),
                new LabelSelector.LabelRequirement("legacy", LabelSelector.LabelOperator.DOES_NOT_EXIST, List.of())));
        return new Campaign(
                NAME,
                labels("team", "platform"),
                new CampaignSpecBuilder(
                                TARGET,
                                new MachineSelection(
                                        List.of(SITE, new SiteId("oslo")),
                                        LabelSelector.ALL,
                                        new LabelSelector(List.of(new LabelSelector.LabelRequirement(
                                                "gpu", LabelSelector.LabelOperator.EXISTS, List.of()))),
                                        List.of(MachineRole.WORKER),
                                        List.of("channel=1.32-classic/stable"),
                                        List.of(MACHINE)))
                        .expectedVersion("1.33.2")
                        .waves(List.of(
                                new Wave("canary", List.of(), canary, false, 95),
                                new Wave("oslo", List.of(new SiteId("oslo")), LabelSelector.ALL, true, 100),
                                new Wave("rest", List.of(), LabelSelector.ALL, true, 90)))
                        .maxInFlight(new CountOrPercent.Percent(5))
                        .maxInFlightPerCluster(new CountOrPercent.Count(3))
                        .failureBudget(FailureBudget.of(10))
                        .startAt(AT)
                        .deadline(AT.plusSeconds(86_400))
                        .priority(70)
                        .maxUnavailable(new CountOrPercent.Percent(10))
                        .controlPlaneFirst(false)
                        .retries(new RetryRule(5, Duration.ofSeconds(90), Duration.ofHours(2)))
                        .build());
    }

    static Campaign smallCampaign() {
        return new Campaign(
                new CampaignName("small"),
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Revision("3501"), MachineSelection.EVERYTHING).build());
    }

    private static Campaign sharedCampaign() {
        return new Campaign(
                new CampaignName("shared"),
                Labels.NONE,
                CampaignSpecBuilder.from(smallCampaign().spec())
                        .waves(List.of(
                                new Wave(
                                        "canary",
                                        List.of(),
                                        LabelSelector.ALL,
                                        new CountOrPercent.Percent(5),
                                        Wave.WaveApproval.AFTER,
                                        100,
                                        Duration.ofMinutes(30)),
                                new Wave(
                                        "oslo",
                                        List.of(new SiteId("oslo")),
                                        LabelSelector.ALL,
                                        new CountOrPercent.Count(20),
                                        Wave.WaveApproval.NONE,
                                        90,
                                        Duration.ZERO),
                                new Wave("rest", List.of(), LabelSelector.ALL, false, 100)))
                        .failureBudget(new FailureBudget(new CountOrPercent.Percent(5), 90, 30))
                        .build());
    }

    private static Campaign checkedCampaign() {
        return new Campaign(
                new CampaignName("checked"),
                Labels.NONE,
                CampaignSpecBuilder.from(smallCampaign().spec())
                        .checks(checks())
                        .build());
    }

    private static Campaign boundCampaign() {
        return new Campaign(
                new CampaignName("bound"),
                Labels.NONE,
                CampaignSpecBuilder.from(smallCampaign().spec())
                        .allowDowngrade(true)
                        .domainCaps(List.of(
                                new TopologyDomainCap("topology.kubernetes.io/zone", new CountOrPercent.Count(2)),
                                new TopologyDomainCap("rack", new CountOrPercent.Percent(10))))
                        .weight(300)
                        .dependsOn(List.of(
                                new CampaignDependency(NAME, 95),
                                new CampaignDependency(new CampaignName("small"), 100)))
                        .windows(windows())
                        .cohortCircuitBreaker(new FailureCohortRule(List.of("hardware.example/model"), 4, 30))
                        .expectedContentHash("0123456789abcdef")
                        .drain(DrainMode.ALWAYS)
                        .clusterSoak(Duration.ofMinutes(10))
                        .strict(true)
                        .build());
    }

    private static List<MaintenanceWindow> windows() {
        return List.of(
                new MaintenanceWindow(
                        List.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY),
                        null,
                        22 * 60,
                        5 * 60 + 30,
                        new TimeZoneName("Europe/Berlin")),
                new MaintenanceWindow(List.of(), LocalDate.parse("2026-01-31"), 0, 0, null));
    }

    static UpgradePolicy policy() {
        return new UpgradePolicy(
                FleetScope.FLEET,
                new CountOrPercent.Count(500),
                new CountOrPercent.Percent(10),
                false,
                null,
                Duration.ofMinutes(45),
                Duration.ofHours(2),
                new UpgradePolicy.IntentRule(
                        new CountOrPercent.Count(2),
                        RetryRule.DEFAULT,
                        List.of("/opt/snaps"),
                        new CountOrPercent.Percent(5),
                        new CountOrPercent.Count(1),
                        Duration.ofMinutes(5),
                        windows(),
                        DrainMode.AUTO));
    }

    private static void outcomes(Map<String, TableRow> all) {
        all.put(
                "campaign-status",
                new CampaignStatus(
                        NAME,
                        4711,
                        campaign(),
                        CampaignState.PAUSED,
                        "3 of at most 10 machines failed",
                        AT,
                        List.of(new CampaignStatus.ResolvedTarget("amd64", "3501", "v1.33.2", SITE)),
                        90000,
                        List.of(new CampaignStatus.AppliedOrder("to-1-33/retry", "o-1")),
                        new CampaignStatus.CampaignApprovals(true, 4000L, 4800, 4750),
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
                        List.of(new DurationHistogram("worker", DurationHistogram.BucketCounts.of(0, 4, 17, 2)))));
        all.put("wave-status-waiting", WaveStatus.of(new WaveKey(NAME, "rest"), 4711));
        all.put("accepted-policy-fleet", new LastAcceptedPolicy(policy()));
        all.put(
                "accepted-policy-site",
                new LastAcceptedPolicy(new UpgradePolicy(SITE, null, null, false, null, null, null, null)));
        all.put(
                "zone-rules",
                new TimeZoneRules(
                        new TimeZoneName("Europe/Berlin"),
                        3_600,
                        List.of(
                                new TimeZoneRules.OffsetTransition(Instant.parse("2026-03-29T01:00:00Z"), 7_200),
                                new TimeZoneRules.OffsetTransition(Instant.parse("2026-10-25T01:00:00Z"), 3_600))));
        all.put(
                "fleet-head",
                new FleetHead(3, 90210, AT, "9f86d081", 1, true, List.of(new PartitionOffset(Table.CAMPAIGNS, 0, 17))));
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
                        new JournalChapter(
                                88_000,
                                AT,
                                5_120_000,
                                101_344L,
                                64_209L,
                                List.of(SITE),
                                new JournalChapter.ChapterStart(41_000, 50_017, 64_180)),
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
                        List.of(new FailureBudgetUse(new CampaignName("spring"), 41, 3)),
                        List.of(new PartitionOffset(Table.PROGRESS, 3, Long.MAX_VALUE)),
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
                                new WatcherHeartbeat(SITE, "0d3c-11", "watcher-0", AT, 0),
                                new LastAcceptedPolicy(policy()),
                                new Tombstone(new RowKey(Table.COMMANDS, MACHINE)),
                                new Tombstone(new RowKey(Table.CAMPAIGN_STATUS, new TimeZoneName("Europe/Berlin")))),
                        "9f86d081"));
        all.put(
                "rejected",
                new RejectedRecord(
                        new RejectedRecordKey("flotilla.campaigns", 0, "to/1 33"),
                        17,
                        RejectionReason.BAD_VALUE,
                        "spec.target.option",
                        "chanel=1.33/stable",
                        "must begin with channel=, revision=, localPath=, version= or spec=",
                        AT));
        all.put(
                "rejected-after-an-accepted-row",
                new RejectedRecord(
                        new RejectedRecordKey("flotilla.freezes", 0, "fleet/freeze"),
                        18,
                        RejectionReason.NOT_JSON,
                        "",
                        "freeze!",
                        "is not JSON",
                        AT,
                        false,
                        new OperatorOrder(
                                new OperatorOrderKey.FreezeFleet(),
                                "o-1",
                                "ada",
                                "storm",
                                null,
                                OperatorOrder.OrderVerb.FREEZE)));
    }
}
