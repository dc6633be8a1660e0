package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reviews of rights by API servers that do not serve SubjectAccessReviews, or not now. */
class AccessReviewClientTest {
    private static final SiteId EAST = new SiteId("east");

    @TempDir
    private Path folder;

    private StubApiServer server;
    private volatile int status;

    @BeforeEach
    void start() throws IOException {
        server = new StubApiServer(
                folder,
                path -> new StubApiServer.StubAnswer(status, "{\"kind\": \"Status\", \"message\": \"not here\"}"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "404, this API server does not serve SubjectAccessReviews (404 not here)",
        "405, this API server does not serve SubjectAccessReviews (405 not here)",
        "422, this API server does not serve SubjectAccessReviews (422 not here)",
        "403, not permitted to review",
        "500, the review failed: 500 not here; try again"
    })
    void asksToTryAgainOnlyIfThatMayHelp(int answered, String says) {
        status = answered;

        List<CheckResult> results = new RbacPermissionCheck(server.client())
                .checkPermissions(EAST, List.of(new ClusterKey(EAST, "fleet", "k1")));

        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result.status()).isEqualTo(CheckResult.CheckStatus.UNKNOWN);
            assertThat(result.message()).startsWith(says);
            assertThat(result.message().contains("try again")).isEqualTo(answered == 500);
        });
    }
}
