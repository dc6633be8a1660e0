// Campaigns with their waves.
import {bar, byId, fill, make} from './dom.js';
import {at, count, machines, span} from './labels.js';

function state(item) {
  return make('span', {class: `state ${item.state}`}, item.state);
}

function ends(item, now) {
  if (item.remaining === 0 || item.state === 'completed' || item.state === 'aborted') {
    return `${item.state} since ${at(item.stateSince)}`;
  }
  return item.expectedEndAt
    ? `expected to end about ${at(item.expectedEndAt)}, in ${span(Date.parse(item.expectedEndAt) - now)}`
    : 'no estimate yet';
}

function budget(item) {
  if (!item.budget) {
    return 'no failure budget';
  }
  return [`failure budget: ${count(item.budget.remaining)} of ${count(item.budget.machines)} left `,
    make('meter', {
      max: Math.max(1, item.budget.machines), value: item.budget.remaining, low: item.budget.machines / 4,
      'aria-label': 'failure budget left',
    }),
    make('span', {class: 'dim'}, ` ${count(item.budget.used)} failed, in flight or reserved`)];
}

/** A closed wave may still have machines to upgrade: the next wave opens when enough machines have succeeded. */
function closedState(one) {
  return one.remaining > 0
    ? `closed ${at(one.closedAt)}, ${count(one.remaining)} remaining`
    : `done ${at(one.closedAt)}`;
}

function wave(one) {
  const done = one.machines - one.remaining;
  const how = one.closedAt ? closedState(one)
    : one.openedAt ? `open since ${at(one.openedAt)}`
    : one.approved ? 'not open yet' : 'waits for approval';
  return make('tr', {class: one.openedAt && !one.closedAt ? 'now' : null},
    make('td', {}, one.wave),
    make('td', {}, bar(done, one.machines, `wave ${one.wave}`)),
    make('td', {}, `${count(one.atTarget)} of ${count(one.machines)} at target`),
    make('td', {}, how));
}

/** How many machines have what their upgrade needs already. */
function preparations(item) {
  const {prepared, preparing, failed} = item.preparations;
  return `${count(prepared)} of ${count(item.remaining)} prepared, ${count(preparing)} preparing`
    + (failed ? `, ${count(failed)} could not be prepared` : '');
}

function card(item, detail, now) {
  const done = item.machines - item.remaining;
  const percent = item.machines ? Math.floor(100 * done / item.machines) : 100;
  return make('article', {class: 'card'},
    make('h3', {}, item.campaign, ' ', state(item)),
    item.pauseReason ? make('p', {class: 'bad'}, item.pauseReason) : null,
    item.warnings.map((warning) => make('p', {class: 'bad'}, `Warning: this campaign ${warning}.`)),
    make('p', {class: 'dim'}, `to ${item.target}, priority ${item.priority}`),
    make('p', {class: 'progress'}, bar(done, item.machines, `campaign ${item.campaign}`),
      ` ${percent} %, ${count(done)} of ${machines(item.machines)} ended, ${count(item.inFlight)} in flight`),
    item.preparations ? make('p', {}, preparations(item)) : null,
    make('p', {}, ends(item, now)),
    make('p', {}, budget(item)),
    detail ? make('table', {class: 'waves'},
      make('caption', {}, 'Waves'),
      make('tbody', {}, detail.waves.map(wave))) : null);
}

/**
 * Shows the campaigns, running ones first.
 *
 * @param items the summaries
 * @param details the full responses that were fetched, by campaign name
 */
export function showCampaigns(items, details, fleet) {
  const order = ['running', 'paused', 'aborted', 'completed'];
  const sorted = [...items].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state)
    || other.priority - one.priority);
  const now = Date.parse(fleet.now);
  fill(byId('campaigns'), sorted.length
    ? sorted.map((item) => card(item, details.get(item.campaign), now))
    : make('p', {}, 'No campaign yet. To apply one: ', make('code', {}, 'flotilla campaign apply FILE'), '.'));
}
