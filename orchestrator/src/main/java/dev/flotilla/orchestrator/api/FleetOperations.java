package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.orchestrator.api.answer.CampaignAnswer;
import dev.flotilla.orchestrator.api.answer.CampaignsAnswer;
import dev.flotilla.orchestrator.api.answer.FleetAnswer;
import dev.flotilla.orchestrator.api.answer.GateTally;
import dev.flotilla.orchestrator.api.answer.MapAnswer;
import dev.flotilla.orchestrator.api.answer.SitesAnswer;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.runtime.kafka.OpenTransaction;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;

/** What can be asked about the fleet, its sites and its campaigns. */
record FleetOperations(Asker asker, GateSurveys surveys, FleetSurveys fleet, Supplier<List<OpenTransaction>> heldBack) {
    List<Operation<?>> all() {
        return List.of(
                new Operation<>(
                        "fleet",
                        "/api/v1/fleet",
                        "The whole fleet at a glance.",
                        List.of(),
                        FleetAnswer.CODEC,
                        given -> asker.askAnyhow(view -> Reply.found(FleetAnswer.of(view, heldBack.get())))),
                new Operation<>(
                        "sites",
                        "/api/v1/sites",
                        "Every site.",
                        List.of(),
                        SitesAnswer.CODEC,
                        given -> asker.ask(view -> Reply.found(SitesAnswer.of(view)))),
                new Operation<>(
                        "map",
                        "/api/v1/map",
                        "Every cluster with how its machines stand, and where machines wait.",
                        List.of(),
                        MapAnswer.CODEC,
                        given -> fleet.look()),
                new Operation<>(
                        "campaigns",
                        "/api/v1/campaigns",
                        "Campaigns by name, a page at a time.",
                        List.of(Pages.LIMIT, Pages.AFTER),
                        CampaignsAnswer.CODEC,
                        this::campaigns),
                new Operation<>(
                        "campaign",
                        "/api/v1/campaigns/:name",
                        "A campaign: what it is to do, how far it is, and where its machines wait.",
                        List.of(Parameter.path("name", "The campaign's name.")),
                        CampaignAnswer.CODEC,
                        this::campaign));
    }

    private Future<Reply<CampaignsAnswer>> campaigns(Given given) {
        int limit = given.count("limit", Pages.DEFAULT_LIMIT, Pages.MOST);
        CampaignName after = given.get("after", Pages::campaign, "a campaign's name");
        return given.problem() != null
                ? Pages.wrong(given)
                : asker.ask(view -> Reply.found(CampaignsAnswer.of(view, after, limit)));
    }

    private Future<Reply<CampaignAnswer>> campaign(Given given) {
        CampaignName name = given.parsed("campaign", given.path("name"), Pages::campaign, "a campaign's name");
        if (name == null) {
            return Pages.wrong(given);
        }
        return asker.<Boolean>ask(view -> exists(view, name)).compose(reply -> switch (reply) {
            case Reply.None<Boolean> none -> Future.succeededFuture(Reply.none(none.why()));
            case Reply.Found<Boolean> there ->
                surveys.of(name).compose(tally -> asker.ask(view -> campaign(view, name, tally)));
        });
    }

    private static Reply<Boolean> exists(View view, CampaignName name) {
        HttpErrorResponse missing = Missing.campaign(view.state(), name);
        return missing == null ? Reply.found(true) : Reply.none(missing);
    }

    private static Reply<CampaignAnswer> campaign(View view, CampaignName name, GateTally tally) {
        CampaignRollout campaign = view.state().rollout(name);
        HttpErrorResponse missing = Missing.campaign(view.state(), name);
        return campaign == null || missing != null
                ? Reply.none(missing == null ? HttpErrorResponse.unavailable("gone", "It has just gone.", null) : missing)
                : Reply.found(CampaignAnswer.of(view.state(), campaign, tally, view.now()));
    }
}
