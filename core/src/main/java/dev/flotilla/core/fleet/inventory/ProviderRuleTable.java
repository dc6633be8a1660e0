package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of all policies about what upgrades which machines. The rules of a site's policy replace the fleet's. */
public final class ProviderRuleTable {
    private static final byte UNTESTED = 0;
    private static final byte MATCHES = 1;
    private static final byte DIFFERS = 2;

    private final Map<PolicyScope, List<RuleMatcher>> rules = new LinkedHashMap<>();

    ProviderRuleTable() {}

    /** Applies the rules of a scope's policy; null for none. */
    public void apply(PolicyScope scope, @Nullable UpgradePolicy policy) {
        if (policy == null || policy.providerRules().isEmpty()) {
            rules.remove(scope);
        } else {
            rules.put(
                    scope, policy.providerRules().stream().map(RuleMatcher::new).toList());
        }
    }

    boolean isEmpty() {
        return rules.isEmpty();
    }

    /**
     * The first rule that selects a machine; null for none.
     *
     * @param labelSet the number of the machine's set of labels
     */
    @Nullable
    ProviderRule findRule(SiteId site, int labelSet, Labels labels) {
        List<RuleMatcher> all = matchersOf(site);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).matches(site, labelSet, labels)) {
                return all.get(i).rule;
            }
        }
        return null;
    }

    /** The rules that may select machines of a site, as rules that name no sites. */
    public List<ProviderRule> rulesOf(SiteId site) {
        return matchersOf(site).stream()
                .map(matcher -> matcher.rule)
                .filter(rule -> rule.sites().isEmpty() || rule.sites().contains(site))
                .map(rule -> new ProviderRule(List.of(), rule.machines(), rule.provider(), rule.template()))
                .toList();
    }

    /** The template that an UpgradeTask in a site names, if a rule for the site names it too; otherwise null. */
    @Nullable
    NodeUpgradeTemplateRef findTemplate(SiteId site, NodeUpgraderRef upgrader) {
        List<RuleMatcher> all = matchersOf(site);
        for (int i = 0; i < all.size(); i++) {
            ProviderRule rule = all.get(i).rule;
            if (rule.template() != null
                    && (rule.sites().isEmpty() || rule.sites().contains(site))
                    && upgrader.isSame(rule.template())) {
                return rule.template();
            }
        }
        return null;
    }

    private List<RuleMatcher> matchersOf(SiteId site) {
        List<RuleMatcher> own = rules.get(site);
        return own != null ? own : rules.getOrDefault(FleetScope.FLEET, List.of());
    }

    /** A rule, and which sets of labels it matches. */
    private static final class RuleMatcher {
        private final ProviderRule rule;
        private byte[] labelSets = new byte[0];

        RuleMatcher(ProviderRule rule) {
            this.rule = rule;
        }

        boolean matches(SiteId site, int labelSet, Labels labels) {
            return (rule.sites().isEmpty() || rule.sites().contains(site)) && matchesLabels(labelSet, labels);
        }

        private boolean matchesLabels(int set, Labels labels) {
            if (set >= labelSets.length) {
                labelSets = Arrays.copyOf(labelSets, Math.max(set + 1, labelSets.length * 2));
            }
            if (labelSets[set] == UNTESTED) {
                labelSets[set] = rule.machines().matches(labels) ? MATCHES : DIFFERS;
            }
            return labelSets[set] == MATCHES;
        }
    }
}
