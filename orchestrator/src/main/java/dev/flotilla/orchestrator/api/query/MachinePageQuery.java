package dev.flotilla.orchestrator.api.query;

import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.MachineCursorFormat;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.api.answer.MachineListItem;
import dev.flotilla.orchestrator.api.answer.MachineListResponse;
import dev.flotilla.orchestrator.api.answer.NotFoundErrors;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page of machines in a sequence of short queries, so that decisions go on in between. The page ends after
 * {@link #MAX_QUERIES} queries, even if it is not full.
 */
public final class MachinePageQuery {
    /** The limit of queries for a page; each reads {@link MachineFilter#MACHINES_PER_QUERY} machines. */
    static final int MAX_QUERIES = 100;

    private final StateQueryClient stateQueryClient;
    private final MachineFilter filter;
    private final int limit;
    private final List<MachineListItem> page = new ArrayList<>();
    private int remainingQueries = MAX_QUERIES;

    public MachinePageQuery(StateQueryClient stateQueryClient, MachineFilter filter, int limit) {
        this.stateQueryClient = stateQueryClient;
        this.filter = filter;
        this.limit = limit;
    }

    public Future<ApiResult<MachineListResponse>> readPage(MachineCursor cursor) {
        remainingQueries--;
        return stateQueryClient
                .<MachineFilter.FilterResult>query(view -> readChunk(view, cursor))
                .compose(apiResult -> switch (apiResult) {
                    case ApiResult.ApiError<MachineFilter.FilterResult> apiError ->
                        Future.succeededFuture(ApiResult.failed(apiError.error()));
                    case ApiResult.ApiValue<MachineFilter.FilterResult> apiValue -> addChunk(apiValue.value());
                });
    }

    private ApiResult<MachineFilter.FilterResult> readChunk(StateView view, MachineCursor cursor) {
        HttpErrorResponse missing = checkFilter(view);
        return missing != null
                ? ApiResult.failed(missing)
                : ApiResult.found(filter.readPage(view, cursor, limit - page.size()));
    }

    private @Nullable HttpErrorResponse checkFilter(StateView view) {
        return Stream.of(
                        filter.site() == null ? null : NotFoundErrors.checkSite(view.state(), filter.site()),
                        filter.cluster() == null ? null : NotFoundErrors.checkCluster(view.state(), filter.cluster()),
                        filter.campaign() == null
                                ? null
                                : NotFoundErrors.checkCampaign(view.state(), filter.campaign()))
                .filter(error -> error != null)
                .findFirst()
                .orElse(null);
    }

    private Future<ApiResult<MachineListResponse>> addChunk(MachineFilter.FilterResult filterResult) {
        page.addAll(filterResult.machines());
        MachineCursor next = filterResult.nextCursor();
        boolean done = next == null || page.size() >= limit || remainingQueries == 0;
        return next != null && !done
                ? readPage(next)
                : Future.succeededFuture(ApiResult.found(
                        new MachineListResponse(page, next == null ? null : MachineCursorFormat.format(next))));
    }
}
