// The list of events, newest first.
import {byId, make, machineLink} from './dom.js';
import {at} from './labels.js';

const MAX_LINES = 200;
// Frequent events of little interest are left out; a machine's page has them.
const HIDDEN = new Set(['attempt-renewed', 'attempt-step-reached', 'inventory-changed', 'nothing', 'intent-status-changed']);
const MACHINE = /^[^/]+\/[^/]+\/[^/]+$/;
const waiting = [];
let drawing = false;

export const line = (event) => make('li', {class: kind(event.event)},
  make('time', {datetime: event.decidedAt}, at(event.decidedAt)), ' ',
  make('strong', {}, event.event), ' ',
  subjectOf(event), ' ', make('span', {class: 'dim'}, event.reason));

function subjectOf(event) {
  const subject = event.subject === 'null' ? '' : event.subject;
  return MACHINE.test(subject) && /^(attempt|machine)-/.test(event.event) ? machineLink(subject) : subject;
}

function kind(label) {
  return /failed|quarantined|unknown|aborted|rejected|vanished/.test(label) ? 'bad'
    : /succeeded|completed|closed/.test(label) ? 'good' : null;
}

/** Adds an event. Events are drawn at most once a frame. */
export function showEvent(event) {
  if (HIDDEN.has(event.event)) {
    return;
  }
  waiting.push(event);
  if (waiting.length > MAX_LINES) {
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
  while (list.childElementCount > MAX_LINES) {
    list.lastElementChild.remove();
  }
}
