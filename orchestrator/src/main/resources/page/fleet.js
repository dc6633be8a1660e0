// Fleet totals, warnings, sites, and the gates that block machines.
import {byId, fill, make, table} from './dom.js';
import {GATES, count, span} from './labels.js';

/** Shows the fleet's totals and its warnings. */
export function showFigures(fleet) {
  const figure = (name, value, more) => make('li', {},
    make('span', {class: 'name'}, name), make('strong', {}, value), more ? make('span', {}, more) : null);
  fill(byId('figures'),
    figure('machines', count(fleet.machines)),
    figure(make('a', {href: '#/machines/in-flight'}, 'in flight'), count(fleet.inFlight), fleet.cap ? `of at most ${count(fleet.cap.machines)}` : 'no cap'),
    figure('sites', count(fleet.sites)),
    figure('campaigns', count(fleet.campaigns)),
    figure('decision', count(fleet.seq), `term ${count(fleet.term)}`));
  const warnings = fleet.freezes.map((freeze) => make('li', {},
    make('strong', {}, `Frozen: ${freeze.scope}`), ` by ${freeze.requestedBy ?? `its ${freeze.source}`}: ${freeze.reason || 'no reason given'}`));
  if (!fleet.clockInSync) {
    warnings.push(make('li', {}, make('strong', {}, "The leader's clock differs from the broker's."),
      ' No upgrade starts until time synchronisation on its host is fixed.'));
  }
  fleet.openTransactions.forEach((open) => warnings.push(make('li', {},
    make('strong', {}, open.site ? `Inputs of site ${open.site} are blocked.` : `Topic ${open.topic} is blocked.`), ` ${open.message}`)));
  if (fleet.rejected) {
    warnings.push(make('li', {}, make('strong', {}, 'Some records are rejected.'), ' To list them: ',
      make('code', {}, 'flotilla rejected list'), '.'));
  }
  if (!fleet.policy) {
    warnings.push(make('li', {}, make('strong', {}, 'No policy.'), ' No upgrade starts until the fleet has one: ',
      make('code', {}, 'flotilla policy apply FILE'), '.'));
  }
  fill(byId('warnings'), warnings);
}

/** Shows the role of the replica that serves this page, or that it is not connected. */
export function showConnection(fleet, connected) {
  const messages = {
    leader: 'Connected to the leader.',
    standby: 'Connected to a standby; another replica leads.',
    restoring: 'Connected to a replica that restores its tables: the numbers are incomplete.',
    refusing: 'Connected to a replica that refuses to lead: its log names the table and the fix.',
  };
  const connection = byId('connection');
  connection.dataset.good = String(connected && fleet.replicaRole !== 'restoring' && fleet.replicaRole !== 'refusing');
  fill(connection, connected ? messages[fleet.replicaRole] ?? fleet.replicaRole : 'Not connected; retrying …');
}

function heartbeat(site, now) {
  if (site.unreachableSince) {
    return make('span', {class: 'bad'}, `unreachable for ${span(now - Date.parse(site.unreachableSince))}`);
  }
  if (site.silentSince) {
    return make('span', {class: 'bad'}, `silent for ${span(now - Date.parse(site.silentSince))}`);
  }
  return make('span', {class: 'good'}, 'heartbeats on time');
}

/** Shows the sites, those with problems first. */
export function showSites(sites, fleet) {
  const now = Date.parse(fleet.now);
  const hasProblem = (site) => Number(Boolean(site.unreachableSince || site.silentSince || site.freezes.length || site.withheldRemovals));
  const rows = [...sites].sort((one, other) => hasProblem(other) - hasProblem(one)).map((site) => [
    site.site,
    [heartbeat(site, now),
      site.freezes.length ? make('span', {class: 'bad'}, ' frozen') : null,
      site.withheldRemovals ? make('span', {class: 'bad'}, ` ${count(site.withheldRemovals)} removals withheld`) : null].filter(Boolean),
    count(site.machines),
    site.cap ? `${count(site.inFlight)} of ${count(site.cap.machines)}` : count(site.inFlight),
  ]);
  fill(byId('sites'), rows.length
    ? table(['Site', 'Heartbeat', 'Machines', 'In flight'], rows)
    : make('p', {}, 'No site is known yet.'));
}

/** Shows the gates, by the number of machines that each blocks. */
export function showGates(gates) {
  const waiting = gates.counts.reduce((sum, gate) => sum + gate.machines, gates.ready);
  const rows = [...gates.counts].sort((one, other) => other.machines - one.machines).map((gate) => [
    make('code', {}, gate.gate),
    GATES[gate.gate] ?? '',
    make('meter', {max: Math.max(1, waiting), value: gate.machines, 'aria-hidden': 'true'}),
    count(gate.machines),
  ]);
  if (gates.ready) {
    rows.push(['', 'no gate: these machines start next',
      make('meter', {max: Math.max(1, waiting), value: gates.ready, 'aria-hidden': 'true'}), count(gates.ready)]);
  }
  fill(byId('gates'),
    rows.length ? table(['Gate', 'Why', 'Share', 'Machines'], rows) : make('p', {}, 'No machine is waiting.'),
    gates.complete ? null : make('p', {class: 'dim'}, 'Still counting …'));
}

