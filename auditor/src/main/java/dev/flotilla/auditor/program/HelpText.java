package dev.flotilla.auditor.program;

/** The text of {@code --help}. */
public final class HelpText {
    public static final String TEXT = """
        auditor: reads the topics of a Flotilla and checks its invariants.

        It shares no code with the orchestrator. It checks every decision in the journal on the rows before it
        (caps, cluster rules, budgets, gates, freezes), every report of the workers (one call for an attempt, no call
        after the lease, success only with proof), and that tables and journal agree.

          auditor --bootstrap localhost:9092
          auditor --bootstrap kafka:9093 --config client.properties --freeze
          auditor --bootstrap kafka:9093 --config client.properties --listen 0.0.0.0:9404
                  --tls-cert tls.crt --tls-key tls.key --token-file token
          auditor --bootstrap localhost:9092 --until-seq 120000 --json report.json

        Options:
          --bootstrap HOST:PORT[,...]  the brokers; or FLOTILLA_BOOTSTRAP_SERVERS in the environment
          --config FILE                connection settings: security.protocol, ssl.*, sasl.mechanism, sasl.user,
                                       sasl.password
          --listen HOST:PORT           where /healthz, /metrics and /report are served (127.0.0.1:9404; port 0: any)
          --tls-cert FILE              certificate with its chain, PEM; the pages are then served over HTTPS
          --tls-key FILE               the certificate's key, PEM (PKCS 8)
          --token-file FILE            file with the bearer token of 16 or more characters that all but
                                       /healthz require.
                                       These three files are read again when they change, and are required
                                       unless it listens on the loopback
          --freeze                     on the first new violation, order a freeze of the fleet, once.
                                       An operator ends it: flotilla fleet unfreeze --unfreeze-id ID --reason TEXT
          --from-chapter               read the journal from its newest complete chapter, with the rows
                                       of its checkpoint, not from its beginning
          --until-seq N                check up to decision N, then end
          --until-quiet                check until no more records come, then end; unfinished machines count as lost
          --timeout SECONDS            time without records that counts as quiet (30), and how long the brokers
                                       may take to respond at the start (10)
          --json FILE                  write the report to this file at the end
          --log-format FORMAT          text or json, on standard error (text); or FLOTILLA_LOG_FORMAT
          --log-level LEVEL            off, error, warn, info, debug or trace, also for single loggers:
                                       info,org.apache.kafka=debug; or FLOTILLA_LOG_LEVEL

        Exit codes: 0 no violation, 1 a violation (or decision N never came), 2 wrong usage, 3 no broker.

        It needs to read all topics flotilla.*, and with --freeze to write flotilla.auditor-orders. It joins no
        group.
        """;

    private HelpText() {}
}
