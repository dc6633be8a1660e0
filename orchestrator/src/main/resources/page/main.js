// The page: asks the orchestrator that serves it, shows what it says, and changes nothing.
import {Refused, admitBy, ask, listen} from './ask.js';
import {byId, fill, make} from './make.js';
import {showCampaigns} from './campaigns.js';
import {showCluster} from './cluster.js';
import {showEvent} from './events.js';
import {showFigures, showGates, showSites, showStanding} from './fleet.js';
import {showMachine} from './machine.js';
import {showMap} from './map.js';

/** What happens is shown so soon, and what does not happen is asked for so often. */
const SOON = 1_000;
const EVER = 10_000;
/** Campaigns that are asked for in full at a time. */
const WHOLE = 8;
/** Events that a page which has just been opened begins with. */
const RECENT = 200;

let connected = false;
let fleet = null;
let due = 0;
let timer = null;
let busy = false;

admitBy((again) => new Promise((done) => {
  byId('door-says').textContent = again
    ? 'That token is not taken. The token is in the file that the server\'s setting tokenFile names.'
    : 'This orchestrator answers only those who show its token. It is kept until this tab is closed.';
  byId('door').showModal();
  byId('door-form').onsubmit = (event) => {
    event.preventDefault();
    const given = byId('token').value.trim();
    byId('token').value = '';
    byId('door').close();
    done(given);
  };
}));
// Nothing can be shown without it.
byId('door').addEventListener('cancel', (event) => event.preventDefault());

function place() {
  const [, what, ...rest] = decodeURI(location.hash).split('/');
  return {what: what ?? '', key: rest.join('/')};
}

async function showOverview() {
  const [sites, campaigns, map] = await Promise.all([ask('sites'), ask('campaigns?limit=100'), ask('map')]);
  const at = campaigns.campaigns.filter((item) => item.state === 'running' || item.state === 'paused');
  const whole = (at.length ? at : campaigns.campaigns).slice(0, WHOLE);
  const answers = await Promise.all(whole.map((item) => ask(`campaigns/${item.campaign}`)));
  showFigures(fleet);
  showCampaigns(campaigns.campaigns, new Map(answers.map((answer) => [answer.summary.campaign, answer])), fleet);
  showMap(map);
  showGates(map.gates);
  showSites(sites.sites, fleet);
}

/** An address that was mistyped must not look like a fleet without machines. */
function showNoPage() {
  fill(byId('detail'), make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('p', {class: 'bad'}, 'There is no such page.'),
    make('p', {}, 'There are #/machine/<site>/<namespace>/<name> and #/cluster/<site>/<namespace>/<name>.'));
}

async function refresh() {
  const {what, key} = place();
  byId('overview').hidden = what !== '';
  byId('detail').hidden = what === '';
  try {
    fleet = await ask('fleet');
    await (what === '' ? showOverview()
      : what === 'machine' ? showMachine(key)
      : what === 'cluster' ? showCluster(key)
      : showNoPage());
    document.body.dataset.shown = String(fleet.seq);
    showStanding(fleet, connected);
  } catch (failed) {
    if (failed instanceof Refused && what !== '' && failed.status < 500) {
      fill(byId('detail'), make('p', {}, make('a', {href: '#/'}, 'The fleet')), make('p', {class: 'bad'}, failed.message),
        failed.hint ? make('p', {}, failed.hint) : null);
    } else if (fleet) {
      showStanding(fleet, failed instanceof Refused && connected);
    } else {
      byId('standing').textContent = failed instanceof Refused ? failed.message : 'Not connected; trying again …';
    }
  }
}

/** Shows everything anew in so many milliseconds at the latest; never two at once. */
function within(millis) {
  const wanted = performance.now() + millis;
  if (timer !== null && due <= wanted) {
    return;
  }
  clearTimeout(timer);
  due = wanted;
  timer = setTimeout(async () => {
    timer = null;
    if (busy || document.hidden) {
      within(SOON);
      return;
    }
    busy = true;
    await refresh();
    busy = false;
    within(EVER);
  }, millis);
}

window.addEventListener('hashchange', () => {
  fill(byId('detail'), make('p', {class: 'dim'}, 'asking …'));
  within(0);
  byId('main').focus();
  scrollTo(0, 0);
});
document.addEventListener('visibilitychange', () => within(0));
byId('search').addEventListener('submit', (event) => {
  event.preventDefault();
  location.hash = `#/machine/${byId('machine').value.trim()}`;
});

await refresh();
within(SOON);
listen(
  Math.max(0, (fleet?.seq ?? 0) - RECENT),
  (label, event) => {
    if (label !== 'gap') {
      showEvent(event);
    }
    within(SOON);
  },
  (stands) => {
    connected = stands;
    if (fleet) {
      showStanding(fleet, connected);
    }
    if (stands) {
      within(0);
    }
  },
);
