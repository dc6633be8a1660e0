package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.MachineCursor;
import dev.flotilla.orchestrator.api.answer.Bookmarks;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MachineItem;
import dev.flotilla.orchestrator.api.answer.MachinesAnswer;
import dev.flotilla.orchestrator.view.View;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page of machines by one short question after another, so that decisions go on in between. After so many
 * questions the page ends, however full it is.
 */
final class MachineSearch {
    /** Times {@link MachineFilter#LOOKS}, so many machines are looked at for a page at most. */
    static final int QUESTIONS = 100;

    private final Asker asker;
    private final MachineFilter filter;
    private final int limit;
    private final List<MachineItem> page = new ArrayList<>();
    private int left = QUESTIONS;

    MachineSearch(Asker asker, MachineFilter filter, int limit) {
        this.asker = asker;
        this.filter = filter;
        this.limit = limit;
    }

    Future<Reply<MachinesAnswer>> from(MachineCursor place) {
        left--;
        return asker.<MachineFilter.Found>ask(view -> look(view, place)).compose(reply -> switch (reply) {
            case Reply.None<MachineFilter.Found> none -> Future.succeededFuture(Reply.none(none.why()));
            case Reply.Found<MachineFilter.Found> found -> take(found.value());
        });
    }

    private Reply<MachineFilter.Found> look(View view, MachineCursor place) {
        HttpErrorResponse missing = missing(view);
        return missing != null ? Reply.none(missing) : Reply.found(filter.look(view, place, limit - page.size()));
    }

    private @Nullable HttpErrorResponse missing(View view) {
        return Stream.of(
                        filter.site() == null ? null : Missing.site(view.state(), filter.site()),
                        filter.cluster() == null ? null : Missing.cluster(view.state(), filter.cluster()),
                        filter.campaign() == null ? null : Missing.campaign(view.state(), filter.campaign()))
                .filter(error -> error != null)
                .findFirst()
                .orElse(null);
    }

    private Future<Reply<MachinesAnswer>> take(MachineFilter.Found found) {
        page.addAll(found.machines());
        MachineCursor next = found.next();
        boolean done = next == null || page.size() >= limit || left == 0;
        return next != null && !done
                ? from(next)
                : Future.succeededFuture(
                        Reply.found(new MachinesAnswer(page, next == null ? null : Bookmarks.print(next))));
    }
}
