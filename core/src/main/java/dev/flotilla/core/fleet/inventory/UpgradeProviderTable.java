package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What upgrades each machine: what the first matching rule of its site's policy says, otherwise the fleet's, otherwise its
 * inventory row.
 */
public final class UpgradeProviderTable {
    private static final byte UNTESTED = 0;
    private static final byte MATCHES = 1;
    private static final byte DIFFERS = 2;

    private final MachineTable machines;
    private final Map<PolicyScope, List<RuleMatcher>> rules = new LinkedHashMap<>();

    UpgradeProviderTable(MachineTable machines) {
        this.machines = machines;
    }

    /** Applies the rules of a scope's policy; null for none. */
    public void apply(PolicyScope scope, @Nullable UpgradePolicy policy) {
        if (policy == null || policy.providerRules().isEmpty()) {
            rules.remove(scope);
        } else {
            rules.put(
                    scope, policy.providerRules().stream().map(RuleMatcher::new).toList());
        }
    }

    UpgradeProvider providerOf(int row) {
        ProviderRule rule = ruleOf(row);
        return rule == null ? machines.rowProvider(row) : rule.provider();
    }

    /** The template of a machine's NodeUpgrades; null if no rule names one. */
    @Nullable
    NodeUpgradeTemplateRef templateOf(int row) {
        ProviderRule rule = ruleOf(row);
        return rule == null ? null : rule.template();
    }

    private @Nullable ProviderRule ruleOf(int row) {
        if (rules.isEmpty()) {
            return null;
        }
        SiteId site = machines.namespaceOf(row).site();
        List<RuleMatcher> own = rules.get(site);
        List<RuleMatcher> all = own != null ? own : rules.getOrDefault(FleetScope.FLEET, List.of());
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).matches(site, row)) {
                return all.get(i).rule;
            }
        }
        return null;
    }

    /** A rule, and which sets of labels it matches. */
    private final class RuleMatcher {
        private final ProviderRule rule;
        private byte[] labelSets = new byte[0];

        RuleMatcher(ProviderRule rule) {
            this.rule = rule;
        }

        boolean matches(SiteId site, int row) {
            return (rule.sites().isEmpty() || rule.sites().contains(site)) && matchesLabels(machines.labelSet(row));
        }

        private boolean matchesLabels(int set) {
            if (set >= labelSets.length) {
                labelSets = Arrays.copyOf(labelSets, Math.max(set + 1, labelSets.length * 2));
            }
            if (labelSets[set] == UNTESTED) {
                labelSets[set] = rule.machines().matches(machines.labelsOf(set)) ? MATCHES : DIFFERS;
            }
            return labelSets[set] == MATCHES;
        }
    }
}
