package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every site, by name. There are never more than a few hundred, so they come at once. */
public record SitesAnswer(List<Item> sites) {
    public static final JsonCodec<SitesAnswer> CODEC = codec();
    private static final int MOST = 10_000;

    /** A site. */
    public record Item(
            String site,
            int machines,
            int inFlight,
            @Nullable Cap cap,
            @Nullable String managementUid,
            @Nullable Instant silentSince,
            @Nullable Instant unreachableSince,
            @Nullable String unreachableReason,
            int missing,
            List<Freeze> freezes) {
        static final JsonObjectCodec<Item> ITEM = codec();

        private static JsonObjectCodec<Item> codec() {
            var it = JsonObjectCodec.<Item>of("site", "A site: one management cluster and what it manages.");
            it.required("site", ScalarCodecs.TOKEN, "Its name.", Item::site);
            it.required("machines", ScalarCodecs.COUNT, "Machines that it shows.", Item::machines);
            it.required("inFlight", ScalarCodecs.COUNT, "Of these, in flight.", Item::inFlight);
            it.optional("cap", Cap.CAP, "Its cap; absent for none of its own.", Item::cap);
            it.optional("managementUid", ScalarCodecs.TOKEN, "Which management cluster it is.", Item::managementUid);
            it.optional("silentSince", ScalarCodecs.INSTANT, "Since when its watcher is not heard.", Item::silentSince);
            it.optional(
                    "unreachableSince",
                    ScalarCodecs.INSTANT,
                    "Since when its topics are set aside.",
                    Item::unreachableSince);
            it.optional(
                    "unreachableReason",
                    ScalarCodecs.text(0, SiteHead.MAX_REASON),
                    "Why they are.",
                    Item::unreachableReason);
            it.required("missing", ScalarCodecs.COUNT, "Machines that vanished at once, not yet believed.", Item::missing);
            it.required("freezes", new ListCodec<>(Freeze.FREEZE, 2), "Why it is frozen, if it is.", Item::freezes);
            return Written.only(it);
        }

        static Item of(FleetState state, SiteState site) {
            UpgradePolicy own = state.policy(site.id());
            UpgradePolicy fleet = state.policy(FleetScope.FLEET);
            Cap shared = Cap.of(fleet == null ? null : fleet.maxInFlightPerSite(), site.machines());
            Cap cap = Cap.of(own == null ? null : own.maxInFlight(), site.machines());
            WatcherHeartbeat heartbeat = site.heartbeat();
            SiteHead head = site.head();
            return new Item(
                    site.id().name(),
                    site.machines(),
                    site.inFlight(),
                    cap == null ? shared : cap,
                    heartbeat == null || heartbeat.managementUid().isEmpty() ? null : heartbeat.managementUid(),
                    head == null ? null : head.silentSince(),
                    head == null ? null : head.unreachableSince(),
                    head == null ? null : head.unreachableReason(),
                    heartbeat == null ? 0 : heartbeat.withheldRemovals(),
                    Freeze.of(state, site));
        }
    }

    public static SitesAnswer of(View view) {
        return new SitesAnswer(view.state().sites().stream()
                .map(site -> Item.of(view.state(), site))
                .toList());
    }

    private static JsonCodec<SitesAnswer> codec() {
        var it = JsonObjectCodec.<SitesAnswer>of("sites", "Every site, by name.");
        it.required("sites", new ListCodec<>(Item.ITEM, MOST), "The sites.", SitesAnswer::sites);
        return Written.only(it);
    }
}
