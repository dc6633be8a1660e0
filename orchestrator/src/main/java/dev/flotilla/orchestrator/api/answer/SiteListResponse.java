package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All sites, by name. There are at most a few hundred, so the response is not paged. */
public record SiteListResponse(List<SiteListItem> sites) {
    public static final JsonCodec<SiteListResponse> CODEC = codec();
    private static final int MAX_SITES = 10_000;

    /** A site. */
    public record SiteListItem(
            String site,
            int machines,
            int inFlight,
            int preparing,
            @Nullable InFlightCap cap,
            @Nullable String managementUid,
            @Nullable Instant silentSince,
            @Nullable Instant unreachableSince,
            @Nullable String unreachableReason,
            int withheldRemovals,
            List<FreezeCause> freezes) {
        static final JsonObjectCodec<SiteListItem> ITEM = codec();

        private static JsonObjectCodec<SiteListItem> codec() {
            var it = JsonObjectCodec.<SiteListItem>of(
                    "site", "A site: one management cluster and the clusters that it manages.");
            it.required("site", ScalarCodecs.TOKEN, "The site's name.", SiteListItem::site);
            it.required("machines", ScalarCodecs.COUNT, "The number of its machines.", SiteListItem::machines);
            it.required("inFlight", ScalarCodecs.COUNT, "Machines in flight.", SiteListItem::inFlight);
            it.required("preparing", ScalarCodecs.COUNT, "Machines that prepare.", SiteListItem::preparing);
            it.optional("cap", InFlightCap.CAP, "Its cap; absent if it has none.", SiteListItem::cap);
            it.optional(
                    "managementUid",
                    ScalarCodecs.TOKEN,
                    "The uid of its management cluster.",
                    SiteListItem::managementUid);
            it.optional(
                    "silentSince",
                    ScalarCodecs.INSTANT,
                    "Since when the site is silent: its watcher sends no heartbeat.",
                    SiteListItem::silentSince);
            it.optional(
                    "unreachableSince",
                    ScalarCodecs.INSTANT,
                    "Since when the site is suspended: its topics cannot be used.",
                    SiteListItem::unreachableSince);
            it.optional(
                    "unreachableReason",
                    ScalarCodecs.text(0, SiteHead.MAX_REASON),
                    "Why it is suspended.",
                    SiteListItem::unreachableReason);
            it.required(
                    "withheldRemovals",
                    ScalarCodecs.COUNT,
                    "Machines that vanished at once, whose removal is withheld.",
                    SiteListItem::withheldRemovals);
            it.required(
                    "freezes",
                    new ListCodec<>(FreezeCause.FREEZE, 2),
                    "The freezes in force in this site.",
                    SiteListItem::freezes);
            return EncodeOnlyCodec.encodeOnly(it);
        }

        static SiteListItem of(FleetState state, SiteState site) {
            UpgradePolicy own = state.policy(site.id());
            UpgradePolicy fleet = state.policy(FleetScope.FLEET);
            InFlightCap shared = InFlightCap.of(fleet == null ? null : fleet.maxInFlightPerSite(), site.machines());
            InFlightCap inFlightCap = InFlightCap.of(own == null ? null : own.maxInFlight(), site.machines());
            WatcherHeartbeat heartbeat = site.heartbeat();
            SiteHead head = site.head();
            return new SiteListItem(
                    site.id().name(),
                    site.machines(),
                    site.inFlight(),
                    site.preparing(),
                    inFlightCap == null ? shared : inFlightCap,
                    heartbeat == null || heartbeat.managementUid().isEmpty() ? null : heartbeat.managementUid(),
                    head == null ? null : head.silentSince(),
                    head == null ? null : head.unreachableSince(),
                    head == null ? null : head.unreachableReason(),
                    heartbeat == null ? 0 : heartbeat.withheldRemovals(),
                    FreezeCause.causesInSite(state, site));
        }
    }

    public static SiteListResponse of(StateView view) {
        return new SiteListResponse(view.state().sites().stream()
                .map(site -> SiteListItem.of(view.state(), site))
                .toList());
    }

    private static JsonCodec<SiteListResponse> codec() {
        var it = JsonObjectCodec.<SiteListResponse>of("sites", "All sites, by name.");
        it.required("sites", new ListCodec<>(SiteListItem.ITEM, MAX_SITES), "The sites.", SiteListResponse::sites);
        return EncodeOnlyCodec.encodeOnly(it);
    }
}
