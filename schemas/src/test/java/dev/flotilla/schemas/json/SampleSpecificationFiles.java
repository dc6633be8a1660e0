package dev.flotilla.schemas.json;

/** Sample manifests. */
public final class SampleSpecificationFiles {
    /** The same campaign as {@link SampleRows#campaign()}. */
    public static final String CAMPAIGN = """
            # To 1.33, the canaries first.
            apiVersion: flotilla.dev/v1
            kind: Campaign
            metadata:
              name: to-1-33
              labels: {team: platform}
            spec:
              target:
                option: channel=1.33-classic/stable
                expectedVersion: 1.33.2
              select:
                sites: [berlin, oslo]
                machines:
                  matchExpressions:
                    - {key: gpu, operator: Exists}
                roles: [worker]
                currentRelease: ["channel=1.32-classic/stable"]
                exclude: [berlin/fleet-a/worker-7.internal]
              waves:
                - name: canary
                  clusters:
                    matchLabels: {tier: canary}
                    matchExpressions:
                      - {key: region, operator: In, values: [eu, us]}
                      - {key: legacy, operator: DoesNotExist}
                  successPercent: 95
                - name: oslo
                  sites: [oslo]
                  approval: before
                - {name: rest, approval: before, successPercent: 90}
              caps: {inFlight: 5%}
              failureBudget: {machines: 10, mode: strict}
              startAt: 2026-01-02T03:04:05.678Z
              deadline: 2026-01-03T04:04:05.6789+01:00
              priority: 70
              cluster: {inFlight: 3, maxUnavailable: "10%", controlPlaneFirst: false}
              retries: {attempts: 5, firstDelay: 90s, longestDelay: 120m}
            """;

    /** The same policy as {@link SampleRows#policy()}, in JSON. */
    public static final String POLICY = """
            {
              "apiVersion": "flotilla.dev/v1",
              "kind": "Policy",
              "metadata": {"name": "fleet"},
              "spec": {
                "caps": {"inFlight": 500, "siteInFlight": "10%"},
                "attempts": {"deadline": "45m", "lostAfter": "2h"},
                "intents": {"maxUnavailable": 2}
              }
            }
            """;

    private SampleSpecificationFiles() {}
}
