package dev.flotilla.nodeworker.hands;

import dev.flotilla.nodeworker.hands.Whereabouts.Known;
import dev.flotilla.nodeworker.k8sd.Pin;
import dev.flotilla.nodeworker.management.Machines.K8sdPort;
import dev.flotilla.nodeworker.management.NodeToken;
import dev.flotilla.nodeworker.management.Tokens;
import dev.flotilla.nodeworker.pins.Bearer;
import dev.flotilla.nodeworker.pins.Pins;
import org.jspecify.annotations.Nullable;

/** What is known of the k8sd of an attempt's machine: where it listens, what it shows, and what it wants to see. */
final class Acquaintance {
    private final Site site;
    private final Errand errand;
    private @Nullable K8sdPort port;
    private @Nullable Peer found;
    private boolean listensElsewhere;

    Acquaintance(Site site, Errand errand) {
        this.site = site;
        this.errand = errand;
    }

    Way way(Known it, String address) {
        return switch (port(it)) {
            case K8sdPort.Unknown unknown -> new Way.Closed(unknown.why());
            case K8sdPort.At at -> {
                Peer peer = new Peer(it.cluster(), it.node(), address, at.port());
                found = peer;
                yield trusted(it, peer);
            }
        };
    }

    /** The way that was found before, if nothing has to be read for it; else null. */
    @Nullable
    Way known(Known it) {
        Peer peer = found;
        if (peer == null || !peer.host().equals(it.address())) {
            return null;
        }
        Pin pin = site.pins.kept(it.cluster(), bearer(it));
        NodeToken token = pin == null ? null : site.tokens.kept(it.cluster(), errand.key());
        return pin == null || token == null ? null : new Way.Open(peer, pin, token);
    }

    private K8sdPort port(Known it) {
        K8sdPort known = port;
        if (known instanceof K8sdPort.At) {
            return known;
        }
        Integer fixed = site.settings.k8sdPort();
        K8sdPort read = fixed != null || site.settings.transport() == Transport.PROXY
                // The proxy knows by itself.
                ? new K8sdPort.At(fixed == null ? SiteSettings.DEFAULT_K8SD_PORT : fixed, false)
                : listensElsewhere
                        ? site.machines.k8sdPort(it.machine(), SiteSettings.DEFAULT_K8SD_PORT)
                        : site.machines.likelyPort(it.machine(), SiteSettings.DEFAULT_K8SD_PORT);
        port = read;
        return read;
    }

    /** It is not where others of its owner are. Whether it may be elsewhere, which is what its own configuration says. */
    boolean isElsewhere() {
        if (!(port instanceof K8sdPort.At at) || !at.borrowed()) {
            return false;
        }
        port = null;
        found = null;
        listensElsewhere = true;
        return true;
    }

    private Way trusted(Known it, Peer peer) {
        return switch (site.pins.of(it.cluster(), bearer(it))) {
            case Pins.Trust.None none -> new Way.Closed(none.why());
            case Pins.Trust.Stranger stranger -> new Way.FirstContact(peer);
            case Pins.Trust.Pinned pinned ->
                switch (site.tokens.of(it.cluster(), errand.key())) {
                    case Tokens.Found.None none -> new Way.Closed(none.why());
                    case Tokens.Found.Token token -> new Way.Open(peer, pinned.pin(), token.token());
                };
        };
    }

    /** It showed that at first contact. Why that is not trusted; null where it is. */
    @Nullable
    String met(Known it, Pin shown) {
        return switch (site.pins.meet(it.cluster(), bearer(it), shown)) {
            case Pins.Trust.Pinned pinned -> null;
            case Pins.Trust.Stranger stranger -> "it was not pinned";
            case Pins.Trust.None none -> none.why();
        };
    }

    private Bearer bearer(Known it) {
        return Bearer.of(errand.key().name(), it.machine());
    }
}
