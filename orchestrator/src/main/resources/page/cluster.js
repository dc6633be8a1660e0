// A cluster's machines.
import {ask} from './ask.js';
import {byId, fill, make, machineLink, table} from './make.js';
import {at, count} from './words.js';

const PAGE = 1_000;

export async function showCluster(key) {
  const machines = [];
  let next = '';
  do {
    const page = await ask(`machines?cluster=${encodeURIComponent(key)}&limit=${PAGE}${next}`);
    machines.push(...page.machines);
    next = page.next ? `&after=${encodeURIComponent(page.next)}` : '';
  } while (next);
  const rows = machines.map((machine) => [
    machineLink(machine.machine, machine.machine.slice(machine.machine.lastIndexOf('/') + 1)),
    machine.role,
    make('span', {class: `condition ${machine.state}`}, machine.state),
    machine.gate ? make('code', {}, machine.gate) : '',
    machine.driver ?? '',
    machine.since ? at(machine.since) : '',
    machine.ready ? '' : make('span', {class: 'bad'}, 'not ready'),
  ]);
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('h2', {}, 'Cluster ', key),
    make('p', {class: 'dim'}, `${count(machines.length)} machines`),
    table(['Machine', 'Role', 'State', 'Gate', 'For', 'Since', ''], rows));
}
