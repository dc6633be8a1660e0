// Events, the newest first.
import {byId, make, machineLink} from './make.js';
import {at} from './words.js';

const KEPT = 200;
// Renewals and steps are many and say little; a machine's page has them.
const DULL = new Set(['attempt-renewed', 'attempt-step-reached', 'inventory-changed', 'nothing', 'intent-status-changed']);
const MACHINE = /^[^/]+\/[^/]+\/[^/]+$/;
const waiting = [];
let drawing = false;

export const line = (event) => make('li', {class: kind(event.event)},
  make('time', {datetime: event.time}, at(event.time)), ' ',
  make('strong', {}, event.event), ' ',
  subject(event), ' ', make('span', {class: 'dim'}, event.reason));

function subject(event) {
  const of = event.subject === 'null' ? '' : event.subject;
  return MACHINE.test(of) && /^(attempt|machine)-/.test(event.event) ? machineLink(of) : of;
}

function kind(label) {
  return /failed|quarantined|unknown|aborted|rejected|vanished/.test(label) ? 'bad'
    : /succeeded|completed|closed/.test(label) ? 'good' : null;
}

/** Adds an event; however many come, they are drawn once a frame. */
export function showEvent(event) {
  if (DULL.has(event.event)) {
    return;
  }
  waiting.push(event);
  if (waiting.length > KEPT) {
    waiting.shift();
  }
  if (!drawing) {
    drawing = true;
    requestAnimationFrame(draw);
  }
}

function draw() {
  drawing = false;
  const list = byId('events');
  list.prepend(...waiting.splice(0).reverse().map(line));
  while (list.childElementCount > KEPT) {
    list.lastElementChild.remove();
  }
}
