const WHOLE = new Intl.NumberFormat('en');

export const count = (number) => WHOLE.format(number);
export const machines = (number) => `${count(number)} machine${number === 1 ? '' : 's'}`;

/** The hour of an instant in UTC, whatever the browser's zone and language; the date too, unless it is within a day of now. */
export function at(instant, now = Date.now()) {
  const when = new Date(instant);
  const text = when.toISOString();
  const hour = text.slice(11, 19);
  return Math.abs(now - when) < 86_400_000 ? `${hour} UTC` : `${text.slice(0, 10)} ${hour} UTC`;
}

/** A length of time in its two largest units. */
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

/** What each gate says, in a few words; docs/gates.md has more. */
export const GATES = {
  'no-policy': 'no policy of the fleet was ever accepted',
  'rejected-input': 'a record that would say cannot be read',
  'freeze': 'the fleet or the site is frozen',
  'clock': "the leader's clock is off",
  'site-silent': "the site's watcher is not heard",
  'site-unreachable': "the site's topics cannot be used",
  'mass-removal': 'many machines vanished at once',
  'campaign': 'the campaign pauses, or waits for its time or another campaign',
  'window': 'no maintenance window is open for long enough',
  'wave': 'the wave is not open',
  'claimed': 'another campaign or intent has the machine',
  'cap-fleet': "the fleet's cap is reached",
  'cap-site': "the site's cap is reached",
  'cap-domain': 'as many that share its label are in flight as may be',
  'cap-campaign': "the campaign's cap is reached",
  'cap-cluster': "the cluster's cap is reached",
  'budget': 'the failure budget would not bear it',
  'cohort': 'machines of its kind fail too often',
  'cluster-order': 'another machine of the cluster comes first',
  'cluster-health': 'the cluster is not well enough',
  'machine': 'the machine itself cannot be started',
  'backoff': 'it failed, and waits to be tried again',
};

/** Conditions, in the order in which they are told of, and how they look on the map. */
export const CONDITIONS = {
  'quarantined': 'quarantined',
  'unknown': 'unknown',
  'in-flight': 'in flight',
  'waiting': 'waiting',
  'succeeded': 'succeeded',
  'skipped': 'skipped',
  'idle': 'not asked for',
};
