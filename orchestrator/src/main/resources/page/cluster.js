// The page of one cluster: its machines.
import {fetchJson} from './api.js';
import {byId, fill, make} from './dom.js';
import {machines as machinesText} from './labels.js';
import {machineTable} from './machines.js';

const PAGE = 1_000;

export async function showCluster(key, now) {
  const machines = [];
  let cursor = '';
  do {
    const page = await fetchJson(`machines?cluster=${encodeURIComponent(key)}&limit=${PAGE}${cursor}`);
    machines.push(...page.machines);
    cursor = page.nextCursor ? `&after=${encodeURIComponent(page.nextCursor)}` : '';
  } while (cursor);
  fill(byId('detail'),
    make('p', {}, make('a', {href: '#/'}, 'The fleet')),
    make('h2', {}, 'Cluster ', key),
    make('p', {class: 'dim'}, `${machinesText(machines.length)}.`),
    machineTable(machines, now, false));
}
