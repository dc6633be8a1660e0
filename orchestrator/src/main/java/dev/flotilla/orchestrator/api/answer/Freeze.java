package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One reason why nothing may start in the fleet or a site. */
public record Freeze(String scope, String by, @Nullable String who, String why) {
    static final RecordCodec<Freeze> FREEZE = codec();

    private static RecordCodec<Freeze> codec() {
        Codec<String> by = Scalars.oneOf(List.of("policy", "order"));
        var it = RecordCodec.<Freeze>of("freeze", "One reason why nothing may start in the fleet or a site.");
        var scope = it.required("scope", Scalars.TOKEN, "\"fleet\", or a site's name.", Freeze::scope);
        var source = it.required("by", by, "Whose word it is. Only its own writer lifts it.", Freeze::by);
        var who = it.optional("who", Forms.WORDS, "Who ordered it.", Freeze::who);
        var why = it.required("why", Forms.WORDS, "Why.", Freeze::why);
        return it.build(v -> new Freeze(v.get(scope), v.get(source), v.get(who), v.get(why)));
    }

    /** All freezes there are, the fleet's first. */
    static List<Freeze> all(FleetState state) {
        List<Freeze> freezes = new ArrayList<>(of(state, Fleet.FLEET, new OrderKey.FleetFreeze()));
        for (Site site : state.sites()) {
            freezes.addAll(of(state, site));
        }
        return freezes;
    }

    static List<Freeze> of(FleetState state, Site site) {
        return of(state, site.id(), new OrderKey.SiteFreeze(site.id()));
    }

    private static List<Freeze> of(FleetState state, Scope scope, OrderKey key) {
        List<Freeze> freezes = new ArrayList<>();
        Policy policy = state.policy(scope);
        if (policy != null && policy.frozen()) {
            String why = policy.frozenWhy();
            freezes.add(new Freeze(scope.toString(), "policy", null, why == null ? "" : why));
        }
        for (Order order :
                Arrays.asList(state.orders().freeze(key), state.orders().misplacedFreeze(key))) {
            if (order != null) {
                freezes.add(new Freeze(scope.toString(), "order", order.who(), order.why()));
            }
        }
        return freezes;
    }
}
