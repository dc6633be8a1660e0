// The page: queries the orchestrator that serves it and shows the responses. It is read-only.
import {ApiError, fetchJson, followEvents, setTokenPrompt} from './api.js';
import {byId, fill, make} from './dom.js';
import {showCampaigns} from './campaigns.js';
import {showCluster} from './cluster.js';
import {showEvent} from './events.js';
import {showConnection, showFigures, showGates, showSites} from './fleet.js';
import {showMachine} from './machine.js';
import {showMachinesInState, showMachinesNamed} from './machines.js';
import {showMap} from './map.js';

/** The page refreshes this soon after an event, and this often without events, in milliseconds. */
const AFTER_EVENT = 1_000;
const WITHOUT_EVENT = 10_000;
/** Campaigns whose full responses are fetched. */
const DETAILED = 8;
/** Events that the page loads when it is opened. */
const RECENT = 200;

let connected = false;
let fleet = null;
let refreshAt = 0;
let timer = null;
let busy = false;

setTokenPrompt((again) => new Promise((done) => {
  byId('sign-in-message').textContent = again
    ? 'The orchestrator did not accept that token. The token is in the file that its setting tokenFile names.'
    : 'This orchestrator requires a token. The browser keeps it until this tab is closed.';
  byId('sign-in').showModal();
  byId('sign-in-form').onsubmit = (event) => {
    event.preventDefault();
    const entered = byId('token').value.trim();
    byId('token').value = '';
    byId('sign-in').close();
    done(entered);
  };
}));
// Without a token the page can show nothing, so the dialog cannot be cancelled.
byId('sign-in').addEventListener('cancel', (event) => event.preventDefault());

function route() {
  const [, what, ...rest] = decodeURI(location.hash).split('/');
  return {what: what ?? '', key: rest.join('/')};
}

async function showOverview() {
  const [sites, campaigns, map] = await Promise.all([fetchJson('sites'), fetchJson('campaigns?limit=100'), fetchJson('map')]);
  const active = campaigns.campaigns.filter((item) => item.state === 'running' || item.state === 'paused');
  const detailed = (active.length ? active : campaigns.campaigns).slice(0, DETAILED);
  const details = await Promise.all(detailed.map((item) => fetchJson(`campaigns/${item.campaign}`)));
  showFigures(fleet);
  showCampaigns(campaigns.campaigns, new Map(details.map((detail) => [detail.summary.campaign, detail])), fleet);
  showMap(map);
  showGates(map.gates);
  showSites(sites.sites, fleet);
}

/** Shows an error for an unknown address; an empty page would look like a fleet without machines. */
function showNoPage() {
  fill(byId('detail'), make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('p', {class: 'bad'}, 'There is no such page.'),
    make('p', {}, 'Known pages are #/machine/<site>/<namespace>/<name>, #/cluster/<site>/<namespace>/<name>, #/machines/<state> and #/named/<part of a name>.'));
}

async function refresh() {
  const {what, key} = route();
  byId('overview').hidden = what !== '';
  byId('detail').hidden = what === '';
  try {
    fleet = await fetchJson('fleet');
    await (what === '' ? showOverview()
      : what === 'machine' ? showMachine(key)
      : what === 'cluster' ? showCluster(key, Date.parse(fleet.now))
      : what === 'machines' ? showMachinesInState(key, Date.parse(fleet.now))
      : what === 'named' ? showMachinesNamed(key, Date.parse(fleet.now))
      : showNoPage());
    document.body.dataset.shown = String(fleet.seq);
    showConnection(fleet, connected);
  } catch (failed) {
    if (failed instanceof ApiError && what !== '' && failed.status < 500) {
      fill(byId('detail'), make('p', {}, make('a', {href: '#/'}, 'The fleet')), make('p', {class: 'bad'}, failed.message),
        failed.hint ? make('p', {}, failed.hint) : null);
    } else if (fleet) {
      showConnection(fleet, failed instanceof ApiError && connected);
    } else {
      byId('connection').textContent = failed instanceof ApiError ? failed.message : 'Not connected; retrying …';
    }
  }
}

/** Schedules a refresh within this many milliseconds; at most one runs at a time. */
function refreshWithin(millis) {
  const wanted = performance.now() + millis;
  if (timer !== null && refreshAt <= wanted) {
    return;
  }
  clearTimeout(timer);
  refreshAt = wanted;
  timer = setTimeout(async () => {
    timer = null;
    if (busy || document.hidden) {
      refreshWithin(AFTER_EVENT);
      return;
    }
    busy = true;
    await refresh();
    busy = false;
    refreshWithin(WITHOUT_EVENT);
  }, millis);
}

window.addEventListener('hashchange', () => {
  fill(byId('detail'), make('p', {class: 'dim'}, 'loading …'));
  refreshWithin(0);
  byId('main').focus();
  scrollTo(0, 0);
});
document.addEventListener('visibilitychange', () => refreshWithin(0));
byId('search').addEventListener('submit', (event) => {
  event.preventDefault();
  const entered = byId('machine').value.trim();
  location.hash = entered.split('/').length === 3 ? `#/machine/${entered}` : `#/named/${entered}`;
});

await refresh();
refreshWithin(AFTER_EVENT);
followEvents(
  Math.max(0, (fleet?.seq ?? 0) - RECENT),
  (label, event) => {
    if (label !== 'gap') {
      showEvent(event);
    }
    refreshWithin(AFTER_EVENT);
  },
  (isConnected) => {
    connected = isConnected;
    if (fleet) {
      showConnection(fleet, connected);
    }
    if (isConnected) {
      refreshWithin(0);
    }
  },
);
