package dev.flotilla.orchestrator.api.request;
import dev.flotilla.orchestrator.api.answer.ApiResult;

import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.NameValidator;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import io.vertx.core.Future;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Parameters that all paged operations share. */
public final class PageParameters {
    public static final int MAX_LIMIT = 1_000;
    public static final int DEFAULT_LIMIT = 100;

    public static final ApiParameter LIMIT = ApiParameter.queryParameter(
                    "limit", "Largest number of items in a page; " + DEFAULT_LIMIT + " if not given.")
            .withSchema(ScalarCodecs.integer(1, MAX_LIMIT).schema());
    public static final ApiParameter AFTER =
            ApiParameter.queryParameter("after", "The value of \"next\" in the previous page.");

    private PageParameters() {}

    public static @Nullable SiteId parseSite(String text) {
        return NameValidator.problemOfOwnName(text) == null ? new SiteId(text) : null;
    }

    public static @Nullable CampaignName parseCampaign(String text) {
        return NameValidator.problemOfOwnName(text) == null ? new CampaignName(text) : null;
    }

    /** The error response for invalid parameters. */
    public static <T> Future<ApiResult<T>> invalidParameters(RequestParameters requestParameters) {
        HttpErrorResponse problem = Objects.requireNonNull(requestParameters.problem());
        return Future.succeededFuture(ApiResult.failed(problem));
    }
}
