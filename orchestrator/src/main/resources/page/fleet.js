// The fleet in figures, its sites, and why machines wait.
import {byId, fill, make, table} from './make.js';
import {GATES, count, span} from './words.js';

/** Numbers that say at once how things are. */
export function showFigures(fleet) {
  const figure = (name, value, more) => make('li', {},
    make('span', {class: 'name'}, name), make('strong', {}, value), more ? make('span', {}, more) : null);
  fill(byId('figures'),
    figure('machines', count(fleet.machines)),
    figure('in flight', count(fleet.inFlight), fleet.cap ? `of at most ${count(fleet.cap.machines)}` : 'no cap'),
    figure('sites', count(fleet.sites)),
    figure('campaigns', count(fleet.campaigns)),
    figure('decision', count(fleet.seq), `term ${count(fleet.term)}`));
  const warnings = fleet.freezes.map((freeze) => make('li', {},
    make('strong', {}, `Frozen: ${freeze.scope}`), ` by ${freeze.who ?? `its ${freeze.by}`}: ${freeze.why || 'no reason given'}`));
  if (!fleet.clockAgrees) {
    warnings.push(make('li', {}, make('strong', {}, "The leader's clock is off."), ' Nothing starts until it is right.'));
  }
  fleet.heldBack.forEach((open) => warnings.push(make('li', {},
    make('strong', {}, open.site ? `Site ${open.site} is held back.` : `${open.topic} is held back.`), ` ${open.says}`)));
  if (fleet.rejected) {
    warnings.push(make('li', {}, make('strong', {}, 'Some records are rejected.'), ' ', make('code', {}, 'flotilla rejected list'),
      ' names them.'));
  }
  if (!fleet.policy) {
    warnings.push(make('li', {}, make('strong', {}, 'No policy.'), ' Nothing is allowed to start without one.'));
  }
  fill(byId('freezes'), warnings);
}

/** Who leads, seen from the process that answers. */
export function showStanding(fleet, connected) {
  const says = {
    leader: 'Connected to the leader.',
    standby: 'Connected to a standby; another process leads.',
    restoring: 'This process restores its tables: the numbers are not complete.',
    refusing: 'This process refuses to lead on what it has read.',
  };
  const standing = byId('standing');
  standing.dataset.good = String(connected && fleet.standing !== 'restoring' && fleet.standing !== 'refusing');
  fill(standing, connected ? says[fleet.standing] ?? fleet.standing : 'Not connected; trying again …');
}

function heard(site, now) {
  if (site.unreachableSince) {
    return make('span', {class: 'bad'}, `cannot be reached for ${span(now - Date.parse(site.unreachableSince))}`);
  }
  if (site.silentSince) {
    return make('span', {class: 'bad'}, `silent for ${span(now - Date.parse(site.silentSince))}`);
  }
  return make('span', {class: 'good'}, 'heartbeats on time');
}

/** Sites, those in trouble first. */
export function showSites(sites, fleet) {
  const now = Date.parse(fleet.now);
  const trouble = (site) => Number(Boolean(site.unreachableSince || site.silentSince || site.freezes.length || site.missing));
  const rows = [...sites].sort((one, other) => trouble(other) - trouble(one)).map((site) => [
    site.site,
    [heard(site, now),
      site.freezes.length ? make('span', {class: 'bad'}, ' frozen') : null,
      site.missing ? make('span', {class: 'bad'}, ` ${count(site.missing)} vanished at once`) : null].filter(Boolean),
    count(site.machines),
    site.cap ? `${count(site.inFlight)} of ${count(site.cap.machines)}` : count(site.inFlight),
  ]);
  fill(byId('sites'), rows.length
    ? table(['Site', 'Watcher', 'Machines', 'In flight'], rows)
    : make('p', {}, 'No site is known yet.'));
}

/** Gates by how many wait there. */
export function showGates(gates) {
  const waiting = gates.counts.reduce((sum, gate) => sum + gate.machines, gates.free);
  const rows = [...gates.counts].sort((one, other) => other.machines - one.machines).map((gate) => [
    make('code', {}, gate.gate),
    GATES[gate.gate] ?? '',
    make('meter', {max: Math.max(1, waiting), value: gate.machines, 'aria-hidden': 'true'}),
    count(gate.machines),
  ]);
  if (gates.free) {
    rows.push(['', 'nothing: they start as their turn comes',
      make('meter', {max: Math.max(1, waiting), value: gates.free, 'aria-hidden': 'true'}), count(gates.free)]);
  }
  fill(byId('gates'),
    rows.length ? table(['Gate', 'Why', 'Share', 'Machines'], rows) : make('p', {}, 'No machine waits.'),
    gates.complete ? null : make('p', {class: 'dim'}, 'Still counting …'));
}

