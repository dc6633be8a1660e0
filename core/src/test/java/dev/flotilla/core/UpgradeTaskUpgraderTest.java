package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.UpgradeTaskRef;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An UpgradeTask may name the template of its machines' NodeUpgrades, if the policy names it too. */
class UpgradeTaskUpgraderTest {
    private static final SiteId OTHER = new SiteId("south");
    private static final NodeUpgradeTemplateRef KUBEADM = template("kubeadm");
    private static final NodeUpgradeTemplateRef CAREFUL = template("careful");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private static NodeUpgradeTemplateRef template(String name) {
        return new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", name);
    }

    @BeforeEach
    void cluster() {
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "k"), "uid-k", Labels.NONE, false, false, null, 1, 2));
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "k", "w0")
                .provider(UpgradeProvider.NODE_UPGRADE)
                .revision(null)
                .role(MachineRole.WORKER)
                .version("v1.32.1")
                .build());
    }

    private static ProviderRule rule(NodeUpgradeTemplateRef template, String key, SiteId... sites) {
        return new ProviderRule(
                List.of(sites),
                key.isEmpty() ? LabelSelector.ALL : CampaignBuilder.where(key, "yes"),
                UpgradeProvider.NODE_UPGRADE,
                template);
    }

    private void rules(PolicyScope scope, ProviderRule... rules) {
        fleetScenario.receive(FleetScenario.policy(scope, null).withProviderRules(List.of(rules)));
    }

    private void request(@Nullable String upgrader) {
        fleetScenario.receive(new UpgradeIntent(
                FleetScenario.machine("w0"),
                FleetScenario.uidOf("w0"),
                UpgradeTarget.parse("version=v1.33.2"),
                fleetScenario.now,
                new UpgradeTaskRef(null, "to-1-33", "uid-task"),
                upgrader == null ? null : new NodeUpgraderRef("flotilla.dev", "NodeUpgradeTemplate", upgrader),
                null));
    }

    private @Nullable NodeUpgradeTemplateRef commandedTemplate() {
        return fleetScenario.command("w0") instanceof WorkerCommand.UpgradeMachine command ? command.template() : null;
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-, kubeadm", "kubeadm, kubeadm", "careful, careful"})
    void commandHasTheTemplateThatTheTaskNames(@Nullable String upgrader, String used) {
        rules(FleetScope.FLEET, rule(CAREFUL, "nothing-has-this"), rule(KUBEADM, ""));
        request(upgrader);
        assertThat(commandedTemplate()).isEqualTo(template(used));
    }

    @Test
    void machineForWhichNoRuleNamesATemplateCanUseThatOfTheTask() {
        rules(FleetScope.FLEET, rule(CAREFUL, "nothing-has-this"));
        request("careful");
        assertThat(commandedTemplate()).isEqualTo(CAREFUL);
    }

    @ParameterizedTest
    @CsvSource({"root", "careful"})
    void templateThatThePolicyDoesNotNameForTheSiteIsNotUsed(String upgrader) {
        rules(FleetScope.FLEET, rule(CAREFUL, "", OTHER), rule(KUBEADM, ""));
        request(upgrader);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("w0")).containsExactly(GateLabel.MACHINE_NOT_ELIGIBLE);
        assertThat(fleetScenario.explain("w0").closedGates().getFirst().message())
                .isEqualTo("UpgradeTask to-1-33 names the template NodeUpgradeTemplate.flotilla.dev " + upgrader
                        + ", which no rule of the policy names for this site: abort the task and create one without"
                        + " upgraderRef, or add a rule with this template to the policy (providers).");
    }

    @Test
    void machineStartsOnceThePolicyNamesTheTemplate() {
        rules(FleetScope.FLEET, rule(KUBEADM, ""));
        request("careful");
        assertThat(fleetScenario.inFlight()).isEmpty();
        rules(FleetScope.FLEET, rule(KUBEADM, ""), rule(CAREFUL, ""));
        assertThat(commandedTemplate()).isEqualTo(CAREFUL);
    }

    @Test
    void siteHasTheRulesForItsMachines() {
        rules(FleetScope.FLEET, rule(CAREFUL, "careful", FleetScenario.SITE), rule(KUBEADM, "", OTHER));
        assertThat(siteRules().providerRules()).containsExactly(rule(CAREFUL, "careful"));
        rules(FleetScenario.SITE, rule(KUBEADM, ""));
        assertThat(siteRules().providerRules()).containsExactly(rule(KUBEADM, ""));
        rules(FleetScenario.SITE);
        rules(FleetScope.FLEET);
        assertThat(siteRules()).isEqualTo(SiteAnnotationRules.NONE);
    }

    @Test
    void siteThatIsSeenAfterThePolicyHasTheRules() {
        rules(FleetScope.FLEET, rule(KUBEADM, ""));
        fleetScenario.site(OTHER);
        SiteStatus status =
                Objects.requireNonNull(fleetScenario.state.site(OTHER)).status();
        assertThat(Objects.requireNonNull(status).rules().templates()).containsExactly(KUBEADM);
    }

    /** Without the row, the watcher could not say on the task that no rule names a template. */
    @Test
    void siteWithATaskHasTheRulesAlsoIfThereAreNone() {
        request(null);
        assertThat(siteRules()).isEqualTo(SiteAnnotationRules.NONE);
    }

    private SiteAnnotationRules siteRules() {
        return Objects.requireNonNull(Objects.requireNonNull(fleetScenario.state.site(FleetScenario.SITE))
                        .status())
                .rules();
    }
}
