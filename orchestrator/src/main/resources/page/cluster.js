// The page of one cluster: its machines.
import {fetchJson} from './api.js';
import {byId, fill, make, machineLink, table} from './dom.js';
import {at, count} from './labels.js';

const PAGE = 1_000;

export async function showCluster(key) {
  const machines = [];
  let cursor = '';
  do {
    const page = await fetchJson(`machines?cluster=${encodeURIComponent(key)}&limit=${PAGE}${cursor}`);
    machines.push(...page.machines);
    cursor = page.nextCursor ? `&after=${encodeURIComponent(page.nextCursor)}` : '';
  } while (cursor);
  const rows = machines.map((machine) => [
    machineLink(machine.machine, machine.machine.slice(machine.machine.lastIndexOf('/') + 1)),
    machine.role,
    make('span', {class: `condition ${machine.state}`}, machine.state),
    machine.gate ? make('code', {}, machine.gate) : '',
    machine.rollout ?? '',
    machine.admittedAt ? at(machine.admittedAt) : '',
    machine.ready ? '' : make('span', {class: 'bad'}, 'not ready'),
  ]);
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('h2', {}, 'Cluster ', key),
    make('p', {class: 'dim'}, `${count(machines.length)} machines`),
    table(['Machine', 'Role', 'State', 'Gate', 'Rollout', 'Since', ''], rows));
}
