package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.explain.CampaignWarning;
import dev.flotilla.core.explain.CampaignWarningFinder;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.IntentStatus.IntentState;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What upgrades a machine decides which targets it can have. */
class MachineProviderTest {
    private static final NodeUpgradeTemplateRef TEMPLATE =
            new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm");
    private static final String RELEASE = "version=v1.33.2";
    private static final String CHANNEL = "channel=1.33-classic/stable";

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void nodeUpgradesHaveATemplate() {
        rules(FleetScope.FLEET, rule(CampaignBuilder.where("runs", "kubeadm"), UpgradeProvider.NODE_UPGRADE));
    }

    private static ProviderRule rule(LabelSelector machines, UpgradeProvider provider) {
        return new ProviderRule(
                List.of(), machines, provider, provider == UpgradeProvider.NODE_UPGRADE ? TEMPLATE : null);
    }

    private void rules(PolicyScope scope, ProviderRule... rules) {
        fleetScenario.receive(FleetScenario.policy(scope, null).withProviderRules(List.of(rules)));
    }

    private ClusterKey cluster(String name) {
        ClusterKey key = new ClusterKey(FleetScenario.SITE, "default", name);
        fleetScenario.receive(new ClusterRow(key, "uid-" + name, Labels.NONE, false, false, null, 1, 2));
        return key;
    }

    private void machine(String cluster, String name, MachineRole role, UpgradeProvider provider, String version) {
        fleetScenario.receive(
                builder(cluster, name, provider).role(role).version(version).build());
    }

    private static MachineRowBuilder builder(String cluster, String name, UpgradeProvider provider) {
        MachineRowBuilder row =
                MachineRowBuilder.of(FleetScenario.SITE, cluster, name).provider(provider);
        return provider == UpgradeProvider.NODE_UPGRADE
                ? row.labels(CampaignBuilder.labels("runs", "kubeadm")).revision(null)
                : row;
    }

    private void worker(String name, UpgradeProvider provider) {
        machine("k", name, MachineRole.WORKER, provider, "v1.32.1");
    }

    private void campaign(String target, UpgradeProvider... providers) {
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target(target)
                .select(MachineSelection.EVERYTHING.withProviders(List.of(providers)))
                .build());
    }

    private WorkerCommand.UpgradeMachine command(String name) {
        WorkerCommand command = fleetScenario.command(name);
        assertThat(command).isInstanceOf(WorkerCommand.UpgradeMachine.class);
        return (WorkerCommand.UpgradeMachine) command;
    }

    private String firstGate(String name) {
        return fleetScenario.explain(name).closedGates().get(0).message();
    }

    private void succeedAt(String name, String version) {
        fleetScenario.report(name, new AttemptReport.Succeeded(AttemptReport.SuccessProof.UPGRADED, null, version));
    }

    @Test
    void commandNamesProviderAndTemplate() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        assertThat(command("w0").provider()).isEqualTo(UpgradeProvider.NODE_UPGRADE);
        assertThat(command("w0").template()).isEqualTo(TEMPLATE);
        assertThat(command("w0").expectedVersion()).isNull();
        assertThat(command("w0").resolvedRevision()).isNull();
    }

    @Test
    void commandForK8sdNamesNothing() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        campaign(CHANNEL);
        assertThat(command("w0").provider()).isEqualTo(UpgradeProvider.K8SD);
        assertThat(command("w0").template()).isNull();
    }

    @Test
    void releaseNeedsNoMachineThatResolvesIt() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        assertThat(fleetScenario.inFlight()).containsExactly("w0", "w1");
        succeedAt("w0", "v1.33.2");
        assertThat(fleetScenario.campaignStatus("up").resolvedTargets()).isEmpty();
        succeedAt("w1", "v1.33.2");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({
        "NODE_UPGRADE, channel=1.33-classic/stable, node-upgrade",
        "NODE_UPGRADE, revision=3421, node-upgrade",
        "K8SD, version=v1.33.2, k8sd",
        "NONE, version=v1.33.2, none",
        "NONE, channel=1.33-classic/stable, none"
    })
    void memberWhoseProviderCannotApplyTheTargetWaits(UpgradeProvider provider, String target, String label) {
        cluster("k");
        worker("w0", provider);
        campaign(target);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("w0")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(firstGate("w0"))
                .startsWith("The machine's provider is " + label)
                .contains(target, "select.providers", "policy (providers)");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }

    @Test
    void campaignIsWarnedOfMachinesThatCannotHaveItsTarget() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        worker("w2", UpgradeProvider.NONE);
        CampaignBuilder all = CampaignBuilder.named("up").target(RELEASE);
        assertThat(CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state, GateChain.standard(), all.build(), fleetScenario.now))
                .filteredOn(warning -> warning.kind() == CampaignWarning.WarningKind.PROVIDER)
                .singleElement()
                .satisfies(warning -> {
                    assertThat(warning.kind().needsForce()).isTrue();
                    assertThat(warning.message())
                            .isEqualTo("selects 2 machines to which nothing applies version=v1.33.2"
                                    + " (north/default/w0, provider k8sd): leave them out with select.providers:"
                                    + " [node-upgrade]");
                });
    }

    @Test
    void campaignForTheRightProviderHasNoWarning() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        assertThat(CampaignWarningFinder.findIfAccepted(
                        fleetScenario.state,
                        GateChain.standard(),
                        CampaignBuilder.named("up")
                                .target(RELEASE)
                                .select(MachineSelection.EVERYTHING.withProviders(
                                        List.of(UpgradeProvider.NODE_UPGRADE)))
                                .build(),
                        fleetScenario.now))
                .isEmpty();
    }

    @Test
    void memberThatWaitsIsLeftOutByAnEdit() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        campaign(CHANNEL);
        fleetScenario.succeed("w0");
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
        campaign(CHANNEL, UpgradeProvider.K8SD);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(fleetScenario.explain("w1").state()).isEqualTo("not-targeted");
    }

    @Test
    void memberThatWaitsIsKeptFromNoOtherCampaign() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        campaign(CHANNEL);
        fleetScenario.campaign(CampaignBuilder.named("release").target(RELEASE).build());
        assertThat(fleetScenario.attempt("w0").target().text()).isEqualTo(RELEASE);
    }

    @Test
    void campaignSelectsByProvider() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        worker("w2", UpgradeProvider.NONE);
        campaign(RELEASE, UpgradeProvider.NODE_UPGRADE);
        assertThat(fleetScenario.inFlight()).containsExactly("w1");
        assertThat(fleetScenario.explain("w0").state()).isEqualTo("not-targeted");
        assertThat(fleetScenario.explain("w2").state()).isEqualTo("not-targeted");
    }

    @Test
    void policyWinsOverTheRow() {
        cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        campaign(RELEASE);
        assertThat(fleetScenario.inFlight()).isEmpty();
        rules(FleetScope.FLEET, rule(LabelSelector.ALL, UpgradeProvider.NODE_UPGRADE));
        assertThat(command("w0").template()).isEqualTo(TEMPLATE);
    }

    @Test
    void firstMatchingRuleCountsAndASitesRulesReplaceTheFleets() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        rules(
                FleetScope.FLEET,
                new ProviderRule(List.of(new SiteId("south")), LabelSelector.ALL, UpgradeProvider.NONE, null),
                rule(CampaignBuilder.where("runs", "kubeadm"), UpgradeProvider.NODE_UPGRADE),
                rule(LabelSelector.ALL, UpgradeProvider.NONE));
        campaign(RELEASE);
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
        rules(FleetScenario.SITE, rule(LabelSelector.ALL, UpgradeProvider.NONE));
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        assertThat(firstGate("w1")).contains("provider is none by the policy (its watcher found node-upgrade), which");
        rules(FleetScenario.SITE);
        assertThat(fleetScenario.attempt("w1").target().text()).isEqualTo(RELEASE);
    }

    @Test
    void nodeUpgradeWithoutATemplateWaits() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        rules(FleetScope.FLEET);
        campaign(RELEASE);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(firstGate("w0")).contains("no rule of the policy names the template", "policy (providers)");
    }

    @Test
    void attemptThatHasNotCalledIsCancelledWhenTheProviderChanges() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        fleetScenario.step("w1", AttemptStep.STARTING);
        rules(FleetScope.FLEET, rule(LabelSelector.ALL, UpgradeProvider.K8SD));
        assertThat(fleetScenario.attempt("w0").cancelled()).isTrue();
        assertThat(fleetScenario.command("w0")).isInstanceOfSatisfying(WorkerCommand.CancelUpgrade.class, cancel -> {
            assertThat(cancel.reason()).isEqualTo("provider-changed");
            assertThat(cancel.provider()).isEqualTo(UpgradeProvider.NODE_UPGRADE);
            assertThat(cancel.template()).isEqualTo(TEMPLATE);
        });
        assertThat(fleetScenario.attempt("w1").cancelled()).isFalse();
        succeedAt("w1", "v1.33.2");
        assertThat(fleetScenario.outcome("w1")).isEqualTo(MachineOutcome.SUCCEEDED);
    }

    @Test
    void attemptKeepsItsTemplateWhenItsLeaseIsRenewed() {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        WorkerCommand.UpgradeMachine first = command("w0");
        rules(
                FleetScope.FLEET,
                new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "other")));
        fleetScenario.advance(Duration.ofMinutes(11));
        assertThat(command("w0").leaseExpiresAt()).isAfter(first.leaseExpiresAt());
        assertThat(command("w0").withLeaseUntil(first.leaseExpiresAt())).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine", "owner", "cluster"})
    void intentWithATargetThatNoMachineCanHaveIsRejected(String asked) {
        ClusterKey cluster = fleetScenario.cluster("a", 0, 1);
        ObjectKey object = switch (asked) {
            case "machine" -> FleetScenario.machine("a-w-0");
            case "owner" -> FleetScenario.deployment("a");
            default -> cluster;
        };
        fleetScenario.requestUpgrade(object, RELEASE);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.onlyRejection().reason()).isEqualTo(RejectionReason.NOT_SUPPORTED);
        assertThat(fleetScenario.onlyRejection().value()).isEqualTo(RELEASE);
        assertThat(fleetScenario.onlyRejection().problem())
                .contains("a-w-0 is k8sd, which applies channel=", "policy (providers)");
        if (!asked.equals("machine")) {
            assertThat(fleetScenario.intentStatus(object).state()).isEqualTo(IntentState.FAILED);
        }
        assertThat(fleetScenario.explain("a-w-0").nextStep()).contains("provider is k8sd", RELEASE, "applies channel=");
    }

    @Test
    void rejectedIntentStaysRejectedWhenItIsWrittenAgain() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), RELEASE);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), RELEASE);
        assertThat(fleetScenario.onlyRejection().value()).isEqualTo(RELEASE);
    }

    @Test
    void rejectedIntentKeepsNoMachineFromACampaign() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), RELEASE);
        campaign(CHANNEL);
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(CHANNEL);
    }

    @Test
    void machineWithARejectedIntentFollowsItsOwners() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), RELEASE);
        assertThat(fleetScenario.explain("a-w-0").state()).isEqualTo("not-targeted");
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), CHANNEL);
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(CHANNEL);
    }

    @Test
    void rejectedIntentIsFollowedWhenThePolicyAllowsIt() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), RELEASE);
        rules(FleetScope.FLEET, rule(LabelSelector.ALL, UpgradeProvider.NODE_UPGRADE));
        assertThat(fleetScenario.attempt("a-w-0").target().text()).isEqualTo(RELEASE);
        assertThat(fleetScenario.intentStatus(FleetScenario.deployment("a")).state())
                .isEqualTo(IntentState.IN_PROGRESS);
    }

    @Test
    void intentOfAMixedClusterIsFollowedByThoseThatCan() {
        ClusterKey cluster = cluster("k");
        worker("w0", UpgradeProvider.K8SD);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(cluster, RELEASE);
        assertThat(fleetScenario.rejected()).isEmpty();
        assertThat(fleetScenario.inFlight()).containsExactly("w1");
        succeedAt("w1", "v1.33.2");
        assertThat(fleetScenario.intentStatus(cluster).state()).isEqualTo(IntentState.IN_PROGRESS);
        assertThat(fleetScenario.explain("w0").nextStep()).contains("provider is k8sd", RELEASE);
    }

    @Test
    void workersFollowTheirControlPlane() {
        cluster("k");
        machine("k", "cp", MachineRole.CONTROL_PLANE, UpgradeProvider.NODE_UPGRADE, "v1.32.1");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        assertThat(fleetScenario.inFlight()).containsExactly("cp");
        succeedAt("cp", "v1.33.2");
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
    }

    @ParameterizedTest(name = "control plane {0}, worker {1} to {2}: {3}")
    @CsvSource({
        "v1.33.2, v1.32.1, version=v1.33.2, starts",
        "v1.33.0, v1.32.1, version=v1.33.2, starts",
        "v1.32.1, v1.32.1, version=v1.33.2, workers must not be newer than their control plane",
        "v1.33.2, v1.33.2, version=v1.33.1, a downgrade needs",
        "v1.34.0, v1.32.1, version=v1.34.0, upgrade one minor version at a time",
        "v1.33.2, v1.33.1, version=v1.33.2, starts"
    })
    void versionRulesHoldForReleases(String controlPlane, String worker, String target, String then) {
        cluster("k");
        machine("k", "cp", MachineRole.CONTROL_PLANE, UpgradeProvider.NODE_UPGRADE, controlPlane);
        machine("k", "w0", MachineRole.WORKER, UpgradeProvider.NODE_UPGRADE, worker);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target(target)
                .select(CampaignBuilder.only(MachineRole.WORKER))
                .build());
        if (then.equals("starts")) {
            assertThat(fleetScenario.inFlight()).containsExactly("w0");
        } else {
            assertThat(fleetScenario.inFlight()).isEmpty();
            assertThat(firstGate("w0")).contains(then);
        }
        fleetScenario.requestUpgrade(FleetScenario.machine("w0"), target);
        assertThat(fleetScenario.inFlight()).hasSize(then.equals("starts") ? 1 : 0);
    }

    @ParameterizedTest(name = "after {0}: {1}")
    @CsvSource(
            nullValues = "-",
            value = {"v1.33.0, true", "v1.32.1, false", "-, false"})
    void changeWithoutAnAttemptIsNoticedByTheVersion(@Nullable String shown, boolean noticed) {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        fleetScenario.receive(
                builder("k", "w0", UpgradeProvider.NODE_UPGRADE).version(shown).build());
        assertThat(fleetScenario.events().contains(DecisionEvent.OUT_OF_BAND_REFRESH))
                .isEqualTo(noticed);
        if (noticed) {
            assertThat(fleetScenario.decisions.getLast().reason())
                    .isEqualTo("version changed from v1.32.1 to v1.33.0 without an attempt");
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"v1.33.2, false", "v1.33.3, true"})
    void attemptExplainsTheVersionOfItsTarget(String shown, boolean noticed) {
        cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        campaign(RELEASE);
        succeedAt("w0", "v1.33.2");
        fleetScenario.receive(
                builder("k", "w0", UpgradeProvider.NODE_UPGRADE).version(shown).build());
        assertThat(fleetScenario.events().contains(DecisionEvent.OUT_OF_BAND_REFRESH))
                .isEqualTo(noticed);
    }

    @Test
    void campaignRefusesAnotherExpectedVersionThanItsTargets() {
        fleetScenario.campaign(
                CampaignBuilder.named("up").target(RELEASE).expecting("1.33.3").build());
        assertThat(fleetScenario.onlyRejection().path()).isEqualTo("spec.target.expectedVersion");
        assertThat(fleetScenario.onlyRejection().problem()).contains("is not the version of " + RELEASE);
        fleetScenario.campaign(
                CampaignBuilder.named("up").target(RELEASE).expecting("1.33.2").build());
        assertThat(fleetScenario.rejected()).isEmpty();
        assertThat(fleetScenario.state.rollout(new CampaignName("up"))).isNotNull();
    }

    @Test
    void campaignRefusesAHash() {
        fleetScenario.campaign(CampaignBuilder.named("up")
                .target("spec=sha256:" + "0".repeat(64))
                .build());
        assertThat(fleetScenario.onlyRejection().problem())
                .contains("spec= is not supported in campaigns", "UpgradeTask");
    }

    @Test
    void hashIsUpgradedOneMachineAtATime() {
        ClusterKey cluster = cluster("k");
        worker("w0", UpgradeProvider.NODE_UPGRADE);
        worker("w1", UpgradeProvider.NODE_UPGRADE);
        fleetScenario.requestUpgrade(cluster, "spec=sha256:" + "0".repeat(64));
        assertThat(fleetScenario.inFlight()).containsExactly("w0");
    }
}
