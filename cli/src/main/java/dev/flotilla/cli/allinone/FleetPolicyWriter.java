package dev.flotilla.cli.allinone;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.tables.TableReader;
import dev.flotilla.testkit.tables.TableRecord;
import dev.flotilla.testkit.tables.TableWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the policy that the fleet begins with. One that is there stays. */
final class FleetPolicyWriter {
    private static final int MAX_IN_FLIGHT = 1;

    private FleetPolicyWriter() {}

    /** Reads the fleet's policy; null if it has none. */
    static @Nullable UpgradePolicy read(String bootstrap) {
        try (TableReader reader = new TableReader(bootstrap, List.of(TablePartition.of(Table.POLICIES)))) {
            UpgradePolicy newest = null;
            for (TableRecord each : reader.readToEnd()) {
                if (each.rowChange() instanceof UpgradePolicy policy
                        && policy.scope().equals(FleetScope.FLEET)) {
                    newest = policy;
                }
            }
            return newest;
        }
    }

    /** Returns the policy without a template: one machine at a time. */
    static UpgradePolicy withoutTemplate() {
        return new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Count(MAX_IN_FLIGHT), null, false, null, null, null, null);
    }

    /**
     * Returns the policy with a template: one machine at a time.
     *
     * @param ofAll whether NodeUpgrades upgrade all machines; else only those whose label says so get the template
     */
    static UpgradePolicy withTemplate(NodeUpgradeTemplateRef template, boolean ofAll) {
        return withoutTemplate().withProviderRules(List.of(rule(template, ofAll)));
    }

    /** Whether a rule names a template. */
    static boolean namesTemplate(UpgradePolicy policy) {
        return policy.providerRules().stream().anyMatch(rule -> rule.template() != null);
    }

    static void write(String bootstrap, UpgradePolicy policy) {
        try (TableWriter writer = new TableWriter(bootstrap, failure -> {
            throw new IllegalStateException("writing the policy", failure);
        })) {
            writer.write(TablePartition.of(Table.POLICIES), policy, () -> {});
            writer.flush();
        }
    }

    private static ProviderRule rule(NodeUpgradeTemplateRef template, boolean ofAll) {
        LabelSelector labelled = new LabelSelector(List.of(new LabelSelector.LabelRequirement(
                LabelKeys.PROVIDER, LabelSelector.LabelOperator.IN, List.of(UpgradeProvider.NODE_UPGRADE.label()))));
        return new ProviderRule(
                List.of(), ofAll ? LabelSelector.ALL : labelled, UpgradeProvider.NODE_UPGRADE, template);
    }
}
