// A machine: how it stands, why it waits, what came of it, and what was decided about it.
import {ask} from './ask.js';
import {byId, clusterLink, fill, make, table} from './make.js';
import {line} from './events.js';
import {at, count} from './words.js';

const MARKS = {
  unreadable: 'its newest row cannot be read', deleting: 'being deleted', paused: 'paused in Cluster API',
  hold: 'held', optOut: 'has opted out', foreign: 'others are upgrading it', inTwoSites: 'another site shows the same node',
};

function facts(pairs) {
  return make('dl', {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

const driver = (of) => (of.campaign ? `campaign ${of.campaign.campaign ?? of.campaign}` : `intent of ${of.intent?.object ?? of.object}`);
const section = (title, ...content) => make('section', {}, make('h3', {}, title), ...content);

function why(explained) {
  const closed = explained.closed.map((gate) => [make('code', {}, gate.gate), gate.says, gate.have, gate.need]);
  return section('Why it stands so',
    make('p', {}, make('span', {class: `condition ${explained.state}`}, explained.state),
      explained.driver ? ` for ${explained.driver}` : '', '. ', explained.next),
    closed.length ? table(['Gate', 'Says', 'Have', 'Need'], closed) : null);
}

function failure(last) {
  return section('How it failed last', facts([
    ['when', at(last.time)], ['reason', `${last.reason} (${last.class})`], ['the node said', last.text],
    ['attempt', String(last.attempt)],
  ]));
}

function entries(list) {
  return section('What was asked of it', table(['For', 'Wave', 'Failed attempts', 'Outcome', 'Next attempt'],
    list.map((entry) => [driver(entry.driver), entry.wave ?? '', count(entry.failedAttempts ?? 0), entry.outcome ?? 'open',
      entry.retryAt ? at(entry.retryAt) : ''])));
}

export async function showMachine(key) {
  const [machine, explained, past] = await Promise.all(
    ['', '/explain', '/events?limit=200'].map((what) => ask(`machines/${key}${what}`)));
  const marks = Object.entries(MARKS).filter(([name]) => machine.marks[name]).map(([, words]) => words);
  if (!machine.marks.node) {
    marks.push('has no node');
  }
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet'),
      machine.summary.cluster ? [' / ', clusterLink(machine.summary.cluster)] : null),
    make('h2', {}, 'Machine ', key),
    machine.present ? null : make('p', {class: 'bad'}, 'Its site does not show it any more.'),
    facts([
      ['role', machine.summary.role], ['ready', machine.summary.ready ? 'yes' : 'no'],
      ['architecture', machine.architecture], ['release, as recorded', machine.release], ['uid', machine.uid],
      ['marks', marks.join(', ')],
    ]),
    why(explained),
    machine.status?.lastFailure ? failure(machine.status.lastFailure) : null,
    machine.status?.entries?.length ? entries(machine.status.entries) : null,
    section('What was decided about it of late',
      past.events.length
        ? make('ol', {class: 'events'}, [...past.events].reverse().map(line))
        : make('p', {class: 'dim'}, 'Nothing that this process has seen.'),
      make('p', {class: 'dim'}, `From decision ${count(past.since)} on; what was before is in the journal: `,
        make('code', {}, `flotilla journal tail --since 1`))));
}
