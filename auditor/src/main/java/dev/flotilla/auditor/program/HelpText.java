package dev.flotilla.auditor.program;

/** What {@code --help} says. */
public final class HelpText {
    public static final String TEXT = """
            auditor: reads the topics of a Flotilla and says whether its invariants hold.

            It shares no code with the orchestrator. It checks every decision in the journal on the rows before it
            (caps, cluster rules, budgets, gates, freezes), every word of the workers (one call for an attempt, no call
            after its time, success only with proof), and that tables and journal say the same.

              auditor --bootstrap localhost:9092
              auditor --bootstrap kafka:9093 --config client.properties --freeze
              auditor --bootstrap kafka:9093 --config client.properties --listen 0.0.0.0:9404
                      --tls-cert tls.crt --tls-key tls.key --token-file token
              auditor --bootstrap localhost:9092 --until-seq 120000 --json report.json

            Options:
              --bootstrap HOST:PORT[,...]  the brokers; or FLOTILLA_BOOTSTRAP_SERVERS in the environment
              --config FILE                how to reach them: security.protocol, ssl.*, sasl.mechanism, sasl.user,
                                           sasl.password
              --listen HOST:PORT           where /healthz, /metrics and /report are (127.0.0.1:9404; port 0: any)
              --tls-cert FILE              its certificate and what vouches for it, PEM: the pages are HTTPS then
              --tls-key FILE               the certificate's key, PEM (PKCS 8)
              --token-file FILE            holds the bearer token that all but /healthz asks for, at least 16 characters.
                                           These three are read again when they were replaced, and must be given
                                           for anything but the loopback
              --freeze                     on a violation that happens while it watches, order the fleet frozen, once.
                                           A person lifts that: flotilla fleet unfreeze --unfreeze-id ID
              --from-chapter               read the journal from the beginning of its newest whole chapter, with the rows
                                           of its checkpoint, and not from its own beginning
              --until-seq N                check up to decision N, then end
              --until-quiet                check until nothing comes any more, then end; who still waits is lost
              --timeout SECONDS            how long nothing may come before it is quiet, and how long the brokers may
                                           take to answer at the start (30)
              --json FILE                  write the report there at the end

            Exit codes: 0 all holds, 1 something does not (or decision N never came), 2 wrong usage, 3 no broker.

            Needs to read all topics flotilla.*, and for --freeze to write flotilla.auditor-orders. It joins no
            group.
            """;

    private HelpText() {}
}
