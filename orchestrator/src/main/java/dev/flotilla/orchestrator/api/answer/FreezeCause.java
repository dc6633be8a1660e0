package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reason why nothing may start in the fleet or a site. */
public record FreezeCause(
        String scope, String source, @Nullable String requestedBy, String reason) {
    static final JsonObjectCodec<FreezeCause> FREEZE = codec();

    private static JsonObjectCodec<FreezeCause> codec() {
        JsonCodec<String> sources = ScalarCodecs.oneOf(List.of("policy", "order"));
        var it = JsonObjectCodec.<FreezeCause>of("freeze", "One reason why nothing may start in the fleet or a site.");
        var scope = it.required("scope", ScalarCodecs.TOKEN, "\"fleet\", or a site's name.", FreezeCause::scope);
        var source = it.required(
                "source", sources, "What froze it; only the same kind of record lifts it.", FreezeCause::source);
        var requestedBy =
                it.optional("requestedBy", ResponseCodecs.TEXT, "Who gave the order.", FreezeCause::requestedBy);
        var reason = it.required("reason", ResponseCodecs.TEXT, "The reason.", FreezeCause::reason);
        return it.build(v -> new FreezeCause(v.get(scope), v.get(source), v.get(requestedBy), v.get(reason)));
    }

    /** All freezes, those of the fleet first. */
    static List<FreezeCause> causesInFleet(FleetState state) {
        List<FreezeCause> freezes =
                new ArrayList<>(causesInSite(state, FleetScope.FLEET, new OperatorOrderKey.FreezeFleet()));
        for (SiteState site : state.sites()) {
            freezes.addAll(causesInSite(state, site));
        }
        return freezes;
    }

    static List<FreezeCause> causesInSite(FleetState state, SiteState site) {
        return causesInSite(state, site.id(), new OperatorOrderKey.FreezeSite(site.id()));
    }

    private static List<FreezeCause> causesInSite(FleetState state, PolicyScope scope, OperatorOrderKey key) {
        List<FreezeCause> freezes = new ArrayList<>();
        UpgradePolicy policy = state.policy(scope);
        if (policy != null && policy.frozen()) {
            String reason = policy.frozenReason();
            freezes.add(new FreezeCause(scope.toString(), "policy", null, reason == null ? "" : reason));
        }
        for (OperatorOrder order :
                Arrays.asList(state.orders().freeze(key), state.orders().misplacedFreeze(key))) {
            if (order != null) {
                freezes.add(new FreezeCause(scope.toString(), "order", order.requestedBy(), order.reason()));
            }
        }
        return freezes;
    }
}
