// Lists of machines: those in a state, and those whose name has a part.
import {fetchJson} from './api.js';
import {byId, clusterLink, fill, make, machineLink, table} from './dom.js';
import {CONDITIONS, count, machines as machinesText, span} from './labels.js';

const PAGE = 1_000;
const shortName = (key) => key.slice(key.lastIndexOf('/') + 1);

/** Builds a table of machines, those in flight for longest first. */
export function machineTable(machines, now, withCluster) {
  const started = (machine) => (machine.admittedAt ? Date.parse(machine.admittedAt) : Infinity);
  const sorted = [...machines].sort((one, other) => (started(one) < started(other) ? -1 : started(one) > started(other) ? 1 : 0));
  const rows = sorted.map((machine) => [
    machineLink(machine.machine, withCluster ? machine.machine : shortName(machine.machine)),
    withCluster ? [machine.cluster ? clusterLink(machine.cluster, shortName(machine.cluster)) : ''] : [],
    machine.role,
    machine.version ?? '',
    make('span', {class: `condition ${machine.state}`}, machine.state),
    machine.gate ? make('code', {}, machine.gate) : '',
    machine.rollout ?? '',
    machine.admittedAt ? span(now - started(machine)) : '',
    machine.lastFailure ?? '',
    machine.ready ? '' : make('span', {class: 'bad'}, 'not ready'),
  ].flat());
  const heads = ['Machine', withCluster ? ['Cluster'] : [], 'Role', 'Version', 'State', 'Gate', 'Rollout', 'In flight for', 'Last failure', ''];
  return make('div', {class: 'wide'}, table(heads.flat(), rows));
}

/** How many machines have failed last for each reason, as text; empty if none has. */
function failureCounts(machines) {
  const counts = new Map();
  machines.filter((machine) => machine.lastFailure)
    .forEach((machine) => counts.set(machine.lastFailure, (counts.get(machine.lastFailure) ?? 0) + 1));
  return [...counts].sort(([, one], [, other]) => other - one).map(([reason, number]) => `${reason} ${count(number)}`).join(', ');
}

async function showList(title, query, now) {
  const machines = [];
  let cursor = '';
  do {
    const page = await fetchJson(`machines?${query}&limit=${PAGE}${cursor}`);
    machines.push(...page.machines);
    cursor = page.nextCursor ? `&after=${encodeURIComponent(page.nextCursor)}` : '';
  } while (cursor && machines.length < PAGE);
  const failures = failureCounts(machines);
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('h2', {}, title),
    make('p', {class: 'dim'}, cursor ? `The first ${machinesText(machines.length)}.` : `${machinesText(machines.length)}.`,
      failures ? ` Last failures: ${failures}.` : ''),
    machines.length ? machineTable(machines, now, true) : null);
}

/** Shows the machines in a state; in-flight stands for each state of an open attempt. */
export const showMachinesInState = (state, now) =>
  showList(`Machines: ${CONDITIONS[state] ?? state}`, `state=${encodeURIComponent(state)}`, now);

/** Shows the machines whose name has a part. */
export const showMachinesNamed = (part, now) => showList(`Machines named …${part}…`, `name=${encodeURIComponent(part)}`, now);
