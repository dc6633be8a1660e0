const WHOLE = new Intl.NumberFormat('en');

export const count = (number) => WHOLE.format(number);
export const machines = (number) => `${count(number)} machine${number === 1 ? '' : 's'}`;

/** Time of day in UTC, independent of the browser's time zone and language; with the date unless it is within a day of now. */
export function at(instant, now = Date.now()) {
  const when = new Date(instant);
  const text = when.toISOString();
  const time = text.slice(11, 19);
  return Math.abs(now - when) < 86_400_000 ? `${time} UTC` : `${text.slice(0, 10)} ${time} UTC`;
}

/** A duration in its two largest units. */
export function span(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  const units = [[86_400, 'd'], [3_600, 'h'], [60, 'min'], [1, 's']];
  const first = units.findIndex(([size]) => seconds >= size);
  if (first < 0) {
    return '0 s';
  }
  const [size, unit] = units[first];
  const rest = units[first + 1];
  const more = rest ? Math.floor((seconds % size) / rest[0]) : 0;
  return `${Math.floor(seconds / size)} ${unit}${more ? ` ${more} ${rest[1]}` : ''}`;
}

/** Why each gate blocks, in short; docs/gates.md has more. */
export const GATES = {
  'no-policy': 'the fleet has no policy',
  'rejected-input': 'a policy or order that may stop this machine is unreadable',
  'freeze': 'the fleet or the site is frozen',
  'clock-skew': "the leader's clock differs from the broker's",
  'site-silent': "the site's watcher sends no heartbeat",
  'site-unreachable': "the site's topics cannot be used",
  'mass-removal': 'many machines of the site vanished at once',
  'campaign-not-running': 'the campaign is paused, before its start time or past its deadline, or waits for another campaign',
  'maintenance-window': 'no maintenance window is open long enough',
  'wave': 'the wave is not open',
  'claimed-by-other': 'another campaign or intent holds the machine',
  'cap-fleet': "the fleet's cap is reached",
  'cap-site': "the site's cap is reached",
  'cap-domain': 'the cap of its topology domain is reached',
  'cap-campaign': "the campaign's cap is reached",
  'cap-cluster': "the cluster's cap is reached",
  'failure-budget': 'this start could exceed the failure budget',
  'failure-cohort': 'too many machines of its failure cohort have failed',
  'cluster-order': 'another machine of the cluster must go first',
  'cluster-health': 'the cluster is not healthy enough',
  'machine-not-eligible': 'the machine cannot be upgraded as it is',
  'backoff': 'the last attempt failed or was deferred; it is retried later',
  'cluster-api': 'Cluster API has not asked for the machine, or must not be given its version',
  'preparation': 'nothing is to be prepared, or not yet',
  'cap-prefetch': 'as many machines prepare as may at once',
};

/** Names of the conditions, worst first; the map and its legend use this order. */
export const CONDITIONS = {
  'quarantined': 'quarantined',
  'unknown': 'unknown',
  'in-flight': 'in flight',
  'waiting': 'waiting',
  'succeeded': 'succeeded',
  'skipped': 'skipped',
  'not-targeted': 'not targeted',
};
