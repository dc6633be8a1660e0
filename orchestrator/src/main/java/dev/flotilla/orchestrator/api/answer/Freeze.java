package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.SiteState;
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
public record Freeze(String scope, String by, @Nullable String who, String why) {
    static final JsonObjectCodec<Freeze> FREEZE = codec();

    private static JsonObjectCodec<Freeze> codec() {
        JsonCodec<String> by = ScalarCodecs.oneOf(List.of("policy", "order"));
        var it = JsonObjectCodec.<Freeze>of("freeze", "One reason why nothing may start in the fleet or a site.");
        var scope = it.required("scope", ScalarCodecs.TOKEN, "\"fleet\", or a site's name.", Freeze::scope);
        var source = it.required("by", by, "Whose word it is. Only its own writer lifts it.", Freeze::by);
        var who = it.optional("who", Forms.WORDS, "Who ordered it.", Freeze::who);
        var why = it.required("why", Forms.WORDS, "Why.", Freeze::why);
        return it.build(v -> new Freeze(v.get(scope), v.get(source), v.get(who), v.get(why)));
    }

    /** All freezes there are, the fleet's first. */
    static List<Freeze> all(FleetState state) {
        List<Freeze> freezes = new ArrayList<>(of(state, FleetScope.FLEET, new OperatorOrderKey.FreezeFleet()));
        for (SiteState site : state.sites()) {
            freezes.addAll(of(state, site));
        }
        return freezes;
    }

    static List<Freeze> of(FleetState state, SiteState site) {
        return of(state, site.id(), new OperatorOrderKey.FreezeSite(site.id()));
    }

    private static List<Freeze> of(FleetState state, PolicyScope scope, OperatorOrderKey key) {
        List<Freeze> freezes = new ArrayList<>();
        UpgradePolicy policy = state.policy(scope);
        if (policy != null && policy.frozen()) {
            String why = policy.frozenReason();
            freezes.add(new Freeze(scope.toString(), "policy", null, why == null ? "" : why));
        }
        for (OperatorOrder order :
                Arrays.asList(state.orders().freeze(key), state.orders().misplacedFreeze(key))) {
            if (order != null) {
                freezes.add(new Freeze(scope.toString(), "order", order.requestedBy(), order.reason()));
            }
        }
        return freezes;
    }
}
