// The page of one machine: its state, why it waits, its rollouts, its last failure, and the decisions about it.
import {fetchJson} from './api.js';
import {byId, clusterLink, fill, make, table} from './dom.js';
import {line} from './events.js';
import {at, count} from './labels.js';

const FLAGS = {
  unreadable: 'its newest row is unreadable', deleting: 'being deleted', paused: 'paused in Cluster API',
  hold: 'on hold', optOut: 'opted out', foreign: 'another controller is upgrading it',
  duplicateNode: 'another site shows the same node',
};

function definitionList(pairs) {
  return make('dl', {}, pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
}

const rolloutName = (rollout) => (rollout.type === 'campaign' ? `campaign ${rollout.campaign}` : `intent of ${rollout.object}`);
const section = (title, ...content) => make('section', {}, make('h3', {}, title), ...content);

function explanationSection(explanation) {
  const closed = explanation.closed.map((gate) => [make('code', {}, gate.gate), gate.says, gate.have, gate.need]);
  return section('Why it is in this state',
    make('p', {}, make('span', {class: `condition ${explanation.state}`}, explanation.state),
      explanation.rollout ? ` for ${explanation.rollout}` : '', '. ', explanation.next),
    closed.length ? table(['Gate', 'Reason', 'Actual', 'Required'], closed) : null);
}

function preparationSection(preparation) {
  const closed = preparation.closed.map((gate) => [make('code', {}, gate.gate), gate.says, gate.have, gate.need]);
  return section('Preparation',
    make('p', {}, make('span', {class: 'condition'}, preparation.state), '. ', preparation.next),
    closed.length ? table(['Gate', 'Reason', 'Actual', 'Required'], closed) : null);
}

function failureSection(last) {
  return section('Last failure', definitionList([
    ['when', at(last.failedAt)], ['reason', `${last.reason} (${last.class})`], ['detail', last.text],
    ['attempt', String(last.attemptId)],
  ]));
}

function rolloutsSection(list) {
  return section('Rollouts', table(['Rollout', 'Wave', 'Failed attempts', 'Outcome', 'Next attempt'],
    list.map((entry) => [rolloutName(entry.rollout), entry.wave ?? '', count(entry.failedAttempts ?? 0), entry.outcome ?? 'open',
      entry.retryAt ? at(entry.retryAt) : ''])));
}

export async function showMachine(key) {
  const [machine, explanation, past] = await Promise.all(
    ['', '/explain', '/events?limit=200'].map((suffix) => fetchJson(`machines/${key}${suffix}`)));
  const flags = Object.entries(FLAGS).filter(([name]) => machine.flags[name]).map(([, text]) => text);
  if (!machine.flags.node) {
    flags.push('has no node');
  }
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet'),
      machine.summary.cluster ? [' / ', clusterLink(machine.summary.cluster)] : null),
    make('h2', {}, 'Machine ', key),
    machine.present ? null : make('p', {class: 'bad'}, 'This machine was deleted: its site has no row for it.'),
    definitionList([
      ['role', machine.summary.role], ['version', machine.summary.version], ['ready', machine.summary.ready ? 'yes' : 'no'],
      ['architecture', machine.architecture], ['recorded release', machine.release], ['upgraded by', machine.provider],
      ['uid', machine.uid],
      ['flags', flags.join(', ')],
    ]),
    explanationSection(explanation),
    explanation.preparation ? preparationSection(explanation.preparation) : null,
    machine.status?.lastFailure ? failureSection(machine.status.lastFailure) : null,
    machine.status?.entries?.length ? rolloutsSection(machine.status.entries) : null,
    section('Recent decisions',
      past.events.length
        ? make('ol', {class: 'events'}, [...past.events].reverse().map(line))
        : make('p', {class: 'dim'}, 'None since this replica started.'),
      make('p', {class: 'dim'}, `Since decision ${count(past.sinceSeq)}. Earlier decisions are in the journal: `,
        make('code', {}, `flotilla journal tail --since 1`))));
}
